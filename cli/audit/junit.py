"""Audits as JUnit XML, which CI servers show: one suite a subject, one case a finding."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from auditor.core.finding import RecordedFinding

# a file is UTF-8, whatever this machine's encoding, which ElementTree would name
_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
# a name of a file may hold what no XML file can
_NO_CHARACTER = re.compile("[^\\t\\n\\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Audited(Protocol):
    """An audit of a subject of the store, or of a file."""

    @property
    def subject(self) -> str:
        """What was audited."""

    @property
    def at(self) -> datetime:
        """When."""

    @property
    def seconds(self) -> float:
        """How long it took."""

    @property
    def findings(self) -> Sequence[RecordedFinding]:
        """What was found."""


def junit_xml(audits: Sequence[Audited], failures: Mapping[str, str]) -> str:
    """Return the XML text.

    Parameters
    ----------
    audits : sequence of Audited
        A violation is a failure, what was undecided an error; what is waived counts as skipped.
    failures : mapping of str to str
        Why subjects could not be audited.
    """
    root = Element("testsuites", name="disclosure-auditor")
    for audit in audits:
        at = audit.at.isoformat()
        suite = SubElement(root, "testsuite", name=audit.subject, timestamp=at, time=f"{audit.seconds:.3f}")
        for finding in audit.findings:
            case = SubElement(suite, "testcase", classname=audit.subject, name=f"{finding.rule} ({finding.where})")
            if finding.waiver is not None:
                SubElement(case, "skipped", message=f"waived: {finding.message}")
            elif finding.severity == "violation":
                SubElement(case, "failure", type=finding.rule, message=f"{finding.change}: {finding.message}")
            elif finding.severity == "undecided":
                SubElement(case, "error", type=finding.rule, message=finding.message)
        if not audit.findings:
            SubElement(suite, "testcase", classname=audit.subject, name="policy")
        _count(suite)
    for subject, reason in failures.items():
        suite = SubElement(root, "testsuite", name=subject)
        case = SubElement(suite, "testcase", classname=subject, name="policy")
        SubElement(case, "error", type="could not be audited", message=reason)
        _count(suite)
    _count(root)
    # the schema that servers check by knows no such count of all suites
    del root.attrib["skipped"]
    indent(root)
    text = _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", tostring(root, encoding="unicode"))
    return f"{_DECLARATION}\n{text}\n"


def _count(suite: Element) -> None:
    numbers = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for name, tag in numbers.items():
        suite.set(name, str(sum(1 for _ in suite.iter(tag))))
