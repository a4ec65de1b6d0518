"""Search over subjects, exports, open findings and help; and the help itself."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from auditor.audits.explaining import rule_in_words, rules_like
from auditor.audits.open_findings import OpenFilter, find_open_findings
from auditor.audits.overview import Overview, OverviewFilter
from auditor.core.errors import NotFound
from auditor.core.kinds import kinds, part
from auditor.web.api.common import Viewer
from auditor.web.pages.common import page_router
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.documents import (
    document_titles,
    find_document,
    render_document,
    search_documents,
)
from auditor.web.pages.shown.listing import Listing
from auditor.web.pages.shown.topics import help_topics

router = page_router()

_MOST = 8


@router.get("/search")
def search(call: Viewer, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Show what fits a text."""
    text = q.strip()
    if not text:
        return page(call, "search.html", text="")
    searched = [kind for kind in kinds() if kind.searched]
    subjects = OverviewFilter(text=text, but=tuple(kind.name for kind in searched))
    findings = OpenFilter(text=text, like=tuple(f"{family}.{rule}" for family, rule in rules_like(text)))
    topics = [one for one in help_topics() if text.lower() in f"{one.title} {one.text}".lower()]
    return page(
        call,
        "search.html",
        text=text,
        searched=text,
        # the same queries as those of the lists: the store knows how to answer them
        subjects=Overview(call.store).read_part(subjects, limit=_MOST + 1),
        most=_MOST,
        all_subjects=Listing("/").address(text=text),
        others=[(kind.plural, part(kind.searched)(call.store, text, _MOST)) for kind in searched],
        findings=[
            (one, rule_in_words(one.family, one.rule, one.of))
            for one in find_open_findings(call.store.connection, findings, limit=_MOST + 1)
        ],
        all_findings=Listing("/findings").address(text=text),
        topics=topics,
        sections=search_documents(text, _MOST),
    )


@router.get("/help")
def all_help(call: Viewer) -> Response:
    """Show the help on every page, and the pages of the documentation."""
    topics = sorted(help_topics(), key=lambda topic: topic.title)
    return page(call, "help.html", topics=topics, documents=document_titles())


@router.get("/help/{name:path}")
def document(call: Viewer, name: str) -> Response:
    """Show a page of the documentation."""
    path = find_document(name)
    if path is None:
        raise NotFound(f"there is no page {name!r} in the documentation; see /help")
    title = dict(document_titles()).get(name, name)
    return page(call, "document.html", title=title, body=render_document(path))
