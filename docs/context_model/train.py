"""Train the weights of links: `python -m docs.context_model.train` (numpy alone, minutes, CTXBENCH_DIR set).

`--folds` trains five times without one fifth of the chats each and prints the scores on that fifth; `--replies` keeps
the links that ship and trains what a reply says alone; without either, all is trained on all chats. The last two write
the file that ships. With `--taught` larger networks learn from the annotators, from calm copies of the chats, too, and
the small one from the mean of what those say: README.md here tells why that is not what ships.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.replies import REPLY
from chimein_gui.domain.context.table import Floats
from chimein_gui.resource_files import resource_path
from docs.context_model import network
from docs.context_model.data import load_chats
from docs.context_model.examples import FOLDS, GROUP, Examples, collect, general_words
from docs.context_model.replies import fit_replies
from docs.context_model.scoring import fast_scores

GROUPS = 700
"""Small groups made of the conversations of each fold."""

GROUP_SHARE = 0.5
"""Share of their rows that is used: the annotated chats weigh more."""

TEACHERS = 3
TEACHER = network.Plan(hidden=64, hidden2=32, hidden3=48)
PUPIL = network.Plan(epochs=16, drop=0.0, soft=1.0)
"""As small as what learns alone: on unseen chats it scores as its teachers do together, at a third of their cost."""

PUPIL_TRUST = 0.5
"""For its replies: on unseen chats of the same channel as good as all of it, on channels of another kind better."""

SOURCE = (
    "Trained on the training part of irc-disentanglement (Kummerfeld et al., ACL 2019, "
    "https://github.com/jkkummerfeld/irc-disentanglement), CC BY 4.0; no text or name of it is in this file."
)


def fit(examples: Examples, general: Floats, plan: network.Plan, without: frozenset[str] = frozenset()) -> LinkModel:
    """Train on these examples, with teachers if the plan listens to any; `without` names signals that are left out."""
    weights, scale = _trained(examples, plan, without)
    return network.to_model(weights, scale, general)


def _trained(
    examples: Examples, plan: network.Plan, without: frozenset[str] = frozenset()
) -> tuple[network.Weights, network.Scale]:
    kept = _thinned(examples, plan.seed)
    scale = network.scale_of(kept).without(without)
    if not plan.soft:
        return network.train(kept, scale, plan), scale
    teachers = [network.train(kept, scale, replace(TEACHER, seed=seed)) for seed in range(TEACHERS)]
    return network.train(kept, scale, plan, network.chances(teachers, kept, scale)), scale


def _thinned(examples: Examples, seed: int) -> Examples:
    lots = np.random.default_rng(seed).random(len(examples.kind))
    return examples.only((examples.kind != GROUP) | (lots < GROUP_SHARE))


def _trust(plan: network.Plan) -> float:
    """Say how far to trust what a reply says on top of these links."""
    return PUPIL_TRUST if plan.soft else 1.0


def cross_validate(
    chats: list[Any], examples: Examples, general: Floats, plan: network.Plan, folds: Sequence[int]
) -> None:
    """Print the scores of some models, each on the fifth of the chats that it has not seen."""
    for fold in folds:
        begin = time.perf_counter()
        model = fit(examples.only(examples.fold != fold), general, plan)
        seen = [chat for number, chat in enumerate(chats) if number % FOLDS != fold]
        unseen = [chat for number, chat in enumerate(chats) if number % FOLDS == fold]
        model = replace(model, reply=fit_replies(seen, model, trust=_trust(plan)))
        print(f"fold {fold}: {fast_scores(unseen, model)} ({time.perf_counter() - begin:.0f} s)", flush=True)


def write(chats: list[Any], arrays: network.Weights, plan: str, path: Path, trust: float = 1.0) -> None:
    """Train what a reply says on top of these links and write the file that ships."""
    provenance = {"source": SOURCE, "made_by": "python -m docs.context_model.train", "plan": plan}
    model = LinkModel.from_bytes(network.to_bytes(arrays, **provenance))
    data = network.to_bytes({**arrays, "reply": fit_replies(chats, model, trust=trust)}, **provenance)
    LinkModel.from_bytes(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes")


def links(examples: Examples, general: Floats, plan: network.Plan) -> network.Weights:
    """Train the links on everything."""
    return network.to_arrays(*_trained(examples, plan), general)


def shipped_links(path: Path) -> tuple[network.Weights, str]:
    """Read the links of a file that was written, and their plan."""
    with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as archive:
        numbers = {name: one for name, one in archive.items() if one.dtype.kind == "f"}
        return numbers | {"reply": np.eye(1, len(REPLY), dtype=np.float32)[0]}, str(archive["plan"])


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folds", nargs="*", type=int, choices=range(FOLDS), help="cross-validate (all, or these), write nothing"
    )
    parser.add_argument("--replies", action="store_true", help="keep the links, train what a reply says")
    parser.add_argument("--taught", action="store_true", help="learn from larger networks, and from calm copies")
    parser.add_argument("--epochs", type=int, help="by default those of the plan")
    parser.add_argument("--out", type=Path, default=resource_path("context", "link_model.npz"))
    given = parser.parse_args()
    chats, plan = load_chats("train"), PUPIL if given.taught else network.Plan()
    if given.replies:
        write(chats, *shipped_links(given.out), given.out, _trust(plan))
        return
    general = general_words(chats)
    examples = collect(chats, general, GROUPS, with_calm=given.taught)
    plan = replace(plan, epochs=given.epochs or plan.epochs)
    print(f"{len(examples.later)} examples", flush=True)
    if given.folds is not None:
        cross_validate(chats, examples, general, plan, given.folds or range(FOLDS))
        return
    told = f"{plan!r}; {TEACHERS} teachers: {TEACHER!r}" if given.taught else repr(plan)
    write(chats, links(examples, general, plan), told, given.out, _trust(plan))


if __name__ == "__main__":
    main()
