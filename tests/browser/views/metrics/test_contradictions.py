"""Contradictions in the real window, gone through by keys."""

from __future__ import annotations

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.views.metrics.contradictions_page import ContradictionsPage
from focal_photos.browser.views.metrics.metrics_page import CONTRADICTIONS
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.metrics.test_history import history, train
from tests.browser.views.window_steps import Key


def wrong_tags(driver: WindowDriver) -> dict[int, str]:
    """Tag all by folder, two of them wrongly; return these with their right tags."""
    train(driver)
    library = driver.session.library
    found = {}
    names = [tag.name for tag in library.tags.all()]
    carriers = {name: library.photos.ids(f"tag:{name}") for name in names}
    for number in range(2):
        photo_id = int(carriers[names[number]][number])
        library.tags.change([photo_id], [names[(number + 1) % len(names)]], [names[number]])
        found[photo_id] = names[number]
    return found


def contradictions(driver: WindowDriver) -> ContradictionsPage:
    history(driver)
    driver.window.metrics_page.buttons[CONTRADICTIONS].click()
    driver.wait_until_idle("the list", 120)
    page = driver.window.metrics_page.pages[CONTRADICTIONS]
    assert isinstance(page, ContradictionsPage)
    assert page.isVisible()
    return page


def test_they_are_put_right_or_kept_by_keys(driver: WindowDriver) -> None:
    right = wrong_tags(driver)
    library = driver.session.library
    page, model = contradictions(driver), driver.session.contradictions
    assert set(right) <= {one.photo_id for one in model.found[:4]}
    assert page.list.count() == len(model.found)
    first, second = model.found[:2]
    assert first.photo_id in right
    assert right[first.photo_id] in page.question.text()
    assert first.tag in page.question.text()
    assert page.fix_button.text() == f"Tag it {right[first.photo_id]} (Enter)"
    count = len(model.found)
    page.list.setFocus()
    driver.press(Key.Key_Return)
    driver.wait_until_idle("putting it right")
    assert library.tags.of([first.photo_id])[first.photo_id] == [right[first.photo_id]]
    assert model.current == second
    assert page.list.count() == count - 1
    driver.press(Key.Key_K)
    driver.wait_until_idle("keeping it")
    assert library.confirmations.tags() == {(second.photo_id, second.tag)}
    page.again_button.click()
    driver.wait_until_idle("the list", 120)
    assert not {first.photo_id, second.photo_id} & {one.photo_id for one in model.found}
    for _ in range(2):
        driver.session.editor.undo()
        driver.wait_until_idle("undo")
    page.again_button.click()
    driver.wait_until_idle("the list", 120)
    assert set(right) <= {one.photo_id for one in model.found[:4]}


def test_one_contradiction_is_told_as_one_and_photos_without_tags_by_their_names(driver: WindowDriver) -> None:
    library = driver.session.library
    train(driver)
    ids = library.photos.ids().tolist()
    alike = library.photos.ids(f"path:{library.photos.paths(ids[:1])[0].parent.name}").tolist()
    library.tags.change(ids, [], [tag.name for tag in library.tags.all()])
    library.judgements.set(alike[0], alike[1:2], Verdict.SIMILAR)
    library.judgements.set(alike[0], alike[2:3], Verdict.DISSIMILAR)
    page, model = contradictions(driver), driver.session.contradictions
    assert len(model.found) == 1
    assert page.words.text().startswith("One tag or judgement disagrees with everything else.")
    (path,) = library.photos.paths([model.found[0].photo_id])
    assert page.picture.accessibleName() == path.name, "and no colon behind it"


def test_the_list_and_the_photo_go_together(driver: WindowDriver) -> None:
    wrong_tags(driver)
    page, model = contradictions(driver), driver.session.contradictions
    page.list.setFocus()
    driver.press(Key.Key_Down)
    assert model.at == 1
    assert page.picture.photo_id == model.found[1].photo_id
    driver.wait_until_idle("pictures")
    assert not page.picture._image.pixmap().isNull()
    page.list.setCurrentRow(0)
    assert page.picture.photo_id == model.found[0].photo_id
    page.next_button.click()
    assert model.at == 1


def test_where_all_agrees_it_says_so(driver: WindowDriver) -> None:
    page = contradictions(driver)
    assert page.words.text() == "Nothing that was tagged or judged disagrees with everything else."
    assert not page.fix_button.isEnabled()


def test_they_are_one_key_away(driver: WindowDriver) -> None:
    right = wrong_tags(driver)
    driver.press(Key.Key_K, CTRL | SHIFT)
    driver.wait_until_idle("the list", 120)
    page = driver.window.metrics_page.pages[CONTRADICTIONS]
    assert page.isVisible()
    first = driver.session.contradictions.found[0]
    driver.press(Key.Key_Return)
    driver.wait_until_idle("putting it right")
    tags = driver.session.library.tags.of([first.photo_id])[first.photo_id]
    assert tags == [right.get(first.photo_id, first.instead)], "the keyboard is at the list"
