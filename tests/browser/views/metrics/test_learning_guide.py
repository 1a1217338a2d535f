# SPDX-License-Identifier: MIT
"""The page "How it learns" in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.training.learning_guide import learner_guides
from focal_photos.browser.operations.training.train import train as learn
from focal_photos.browser.operations.training.train import trainable
from focal_photos.browser.views.metrics.learning_guide_page import LearningGuidePage
from focal_photos.browser.views.metrics.learning_page import GUIDE
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from focal_photos.learners.persistence import load
from tests.browser.views.metrics.test_history import history
from tests.browser.views.window_steps import train, use_trained


def guide(driver: WindowDriver) -> LearningGuidePage:
    history(driver)
    driver.window.modes.learning_page.buttons[GUIDE].click()
    driver.wait_until_idle("the page")
    page = driver.window.modes.learning_page.pages[GUIDE]
    assert isinstance(page, LearningGuidePage)
    assert page.isVisible()
    return page


def test_every_learner_states_its_needs_and_costs(driver: WindowDriver) -> None:
    page = guide(driver)
    assert set(page.cards) == {"automatic", *trainable()}
    for name, card in page.cards.items():
        text = card.facts.text()
        assert "Learns from" in text or "Needs nothing" in text, name
        assert "Takes seconds" in text or "May take minutes" in text, name
        assert card.train_button.isEnabled()
        assert len(card.sliders) <= 3, name


@pytest.mark.slow
def test_looks_alike_or_means_alike_is_a_slider(driver: WindowDriver) -> None:
    train(driver)
    page = guide(driver)
    slider = page.cards["bdm-visual"].sliders["visual_neighbors"]
    assert "means alike \N{EN DASH} looks alike" in slider.accessibleName()
    slider.setValue(slider.maximum())
    rounds = page.cards["bdm-visual"].sliders["rounds"]
    rounds.setValue(0)
    page.cards["bdm-visual"].train_button.click()
    assert not page.cards["bdm-visual"].train_button.isEnabled()
    driver.wait_until_idle("training", 180)
    library = driver.session.library
    path = library.metrics.path(library.metrics.by_name("bdm-visual"))
    assert path is not None
    learner = load(path)["learner"]
    assert learner.visual_neighbors == 20
    assert learner.rounds == 50
    assert learner.euclidean_blend == "auto", "an untouched setting keeps the learner's default"
    page.enter()
    driver.wait_until_idle("the page")
    if library.metrics.current().learner == "bdm-visual":
        assert page.rounds.isVisible()
        assert page.rounds.shown[0].value == 1
        assert 0 < page.rounds.shown[-1].value < 1
    assert "right among the first" in page.cards["bdm-visual"].facts.text() or "not measured" in (
        page.cards["bdm-visual"].facts.text()
    )
    slider = page.cards["bdm-visual"].sliders["visual_neighbors"]
    assert slider.value() == slider.maximum(), "the slider keeps its position"


@pytest.mark.slow
def test_a_learner_is_trained_as_printed_in_its_paper(driver: WindowDriver) -> None:
    train(driver)
    page = guide(driver)
    assert page.cards["rca"].printed is None
    card = page.cards["kernel"]
    assert card.printed is not None
    blend = card.sliders["euclidean_blend"]
    blend.setValue(blend.maximum())
    card.printed.click()
    assert not blend.isEnabled(), "the paper determines it"
    assert "as printed" in [text.text() for text in card.findChildren(QLabel)]
    card.train_button.click()
    driver.wait_until_idle("training", 180)
    use_trained(driver)
    library = driver.session.library
    path = library.metrics.path(library.metrics.by_name("kernel"))
    assert path is not None
    learner = load(path)["learner"]
    printed = type(learner).printed
    assert {name: value for name, value in vars(learner).items() if name in printed} == dict(printed)
    page.enter()
    driver.wait_until_idle("the page")
    again = page.cards["kernel"]
    assert again.printed is not None
    assert again.printed.isChecked(), "it keeps its state"
    assert not again.sliders["euclidean_blend"].isEnabled()
    again.printed.click()
    assert again.sliders["euclidean_blend"].isEnabled()
    assert "as printed" not in [text.text() for text in again.findChildren(QLabel)]


def test_families_have_bars_if_the_metric_weighs_them(driver: WindowDriver) -> None:
    train(driver, "Kernels weighted by family")
    driver.session.editor.choose_metric(driver.session.library.metrics.by_name("kernel-weighted").id)
    driver.wait_until_idle("choosing")
    page = guide(driver)
    assert page.families.isVisible()
    assert sum(bar.value for bar in page.families.shown) == pytest.approx(1)
    assert page.heading.text().startswith("In use: ")


def test_defaults_are_among_the_values(driver: WindowDriver) -> None:
    for one in learner_guides(driver.session.library):
        for setting in one.settings:
            assert setting.default in setting.values
            assert list(setting.values) == sorted(setting.values)


@pytest.mark.slow
@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
def test_the_batches_of_a_stepwise_metric_are_shown(speaking: str, driver: WindowDriver) -> None:
    driver.window.resize(1024, 700)
    library = driver.session.library
    photos = library.photos.get(library.photos.ids().tolist())
    kinds = [photo.path.parent.name for photo in photos]
    for number in range(4):
        alike = [photo.id for photo, kind in zip(photos, kinds, strict=True) if kind == kinds[number]]
        alike.remove(photos[number].id)
        others = [photo.id for photo, kind in zip(photos, kinds, strict=True) if kind != kinds[number]]
        library.judgements.set(photos[number].id, alike[:3], Verdict.SIMILAR)
        library.judgements.set(photos[number].id, others[:3], Verdict.DISSIMILAR)
    finish(learn(library, "kernel-stepwise", parameters={"sessions": 2}))
    driver.session.show()
    page = guide(driver)
    assert page.rounds.isVisible()
    first, second = page.rounds.shown
    assert first.title.startswith("1: 6 ")
    assert first.title.endswith(" % in order" if speaking == "en" else " % richtig geordnet")
    assert second.title.startswith("2: ")
    assert 0 < first.value < 1
    assert page.rounds_title.isVisible()
    assert page.rounds_title.text().startswith("Distance of" if speaking == "en" else "Abstand")
    finish(learn(library, "rca", use_judgements=True))
    driver.session.metrics.history.read()
    page.enter()
    driver.wait_until_idle("the page")
    assert not page.rounds.isVisible()
