"""The words and icons of the steps that add to the inputs of a plan: each of the engine's has its own."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import isclass

import pytest

import chimein_gui.engine
from chimein_gui.domain.traces.entries import Enriched, EnrichEnd, EnricherName
from chimein_gui.domain.traces.steps import StepKind, TraceStep
from chimein_gui.resource_files import resource_path
from chimein_gui.ui.panes.traces.looks import step_icon
from chimein_gui.viewmodels.traces.step_words import step_name
from tests.fakes.engine_api import NOON

_REST = TraceStep(1, StepKind.ENRICHER, NOON, 0.1, Enriched("of a later version", EnrichEnd.DONE, 0.1), name="later")


def _enrichers():
    """Return the classes of the engine that add to the inputs of plans."""
    engine = chimein_gui.engine
    modules = [import_module(one.name) for one in pkgutil.walk_packages(engine.__path__, f"{engine.__name__}.")]
    found = {thing for module in modules for thing in vars(module).values() if isclass(thing)}
    return [one for one in found if hasattr(one, "enrich") and isinstance(getattr(one, "name", None), str)]


def _step(name):
    return TraceStep(1, StepKind.ENRICHER, NOON, 0.1, Enriched(str(name), EnrichEnd.DONE, 0.1), name=str(name))


def test_the_engine_names_its_enrichers_by_the_one_list():
    names = {one.name for one in _enrichers()}
    assert names == set(EnricherName) - {EnricherName.BY_MEANING}, "that one is a part of the memories"
    assert all(type(name) is EnricherName for name in names)


@pytest.mark.parametrize("name", EnricherName)
def test_each_enricher_has_words_and_an_icon(name):
    step = _step(name)
    assert step_name(step) != step_name(_REST) == "Enricher"
    assert step_icon(step) != step_icon(_REST)
    assert resource_path("icons", f"{step_icon(step)}.svg").is_file()


def test_the_memories_of_a_plan_are_called_so():
    step = _step("memory")
    assert (step_name(step), step_icon(step)) == ("Memories", "memory")
