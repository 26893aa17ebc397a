"""The names of all signals, in the order of the weights."""

from __future__ import annotations

from chimein_gui.domain.context.digest import FLAGS
from chimein_gui.domain.context.people import FAR

NEAR = 28
"""Number of preceding rows that are always candidates."""

RARE = 3
"""Number of candidates from further back with the rarest common words."""

CANDIDATES = NEAR + FAR + RARE
"""Most candidates of one row."""

_PAIR = (
    "distance next_to second third far_away gap gap_for_chat gap_for_distance same_minute over_an_hour "
    "over_half_a_day same_sender leads_to_it names_it leads_elsewhere leads_to_absent names_elsewhere it_leads_here "
    "it_names_here it_leads_elsewhere it_names_elsewhere both_name own_both_name neither_leads own_neither_leads "
    "its_senders_last own_last last_that_names last_of_named before_own_last before_last_that_names since_own_last "
    "named_since_own it_is_answered answered_elsewhere partner second_partner third_partner its_partner "
    "it_has_other_partner has_other_partner it_names_partner it_goes_on it_went_on answered_next turns turns_taken "
    "first_turn its_first_turn people_between common common_norm most_common share_of_common common_elsewhere "
    "question_answered own_question"
)
_START = (
    "names_present names_absent names_anyone turns_taken first_turn since_own_last since_last_that_names "
    "right_after_own named_since_own common common_in_all telling common_norm gap gap_for_chat rhythm rows "
    "has_partner named_is_near told_is_near people_around"
)

PAIR = tuple(_PAIR.split())
"""Signals of a pair of rows; "it" is the earlier one."""

ROW = (*FLAGS, "length")
"""Signals of one row of a pair."""

START = (*ROW, *_START.split())
"""Signals for whether a row starts something new."""
