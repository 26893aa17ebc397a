"""What a reply adds to links of each quality: `python -m docs.context_model.learning_curve`.

Links and replies are trained as those that ship, on ever more of the chats of four folds, and scored on all chats of
the fifth and on the dev files. So nothing is made worse on purpose: content is as good as what there was to learn from.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from docs.context_model import network
from docs.context_model.data import DEV, load_chats
from docs.context_model.examples import FOLDS, collect, general_words
from docs.context_model.replies import fit_replies
from docs.context_model.scoring import fast_scores
from docs.context_model.train import GROUPS, fit

COUNTS = (12, 16, 24, 32, 64)
"""From the fewest that the plan of training learns anything from."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chats", type=int, nargs="*", default=COUNTS, help="how many chats to learn from, in turn")
    parser.add_argument("--fold", type=int, default=0, choices=range(FOLDS), help="the one that is scored")
    given = parser.parse_args()
    chats = load_chats("train")
    parts = {"unseen": [chat for number, chat in enumerate(chats) if number % FOLDS == given.fold]}
    parts |= {name: load_chats(name) for name in DEV}
    seen = [chat for number, chat in enumerate(chats) if number % FOLDS != given.fold]
    print(f"{len(seen)} chats to learn from")
    for count in [*given.chats, len(seen)]:
        some = seen[:: len(seen) // count][:count]
        general = general_words(some)
        links = fit(collect(some, general, GROUPS * count // len(seen)), general, network.Plan())
        model = replace(links, reply=fit_replies(some, links))
        for name, part in parts.items():
            scores = fast_scores(part, model)
            added = scores["reply"] - scores["content"]
            line = f"content {scores['content']:.1f}  reply {scores['reply']:.1f}  {added:+.1f}"
            print(f"{count:4d} {name:16s} {line}", flush=True)


if __name__ == "__main__":
    main()
