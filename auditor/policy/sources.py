"""Where the numbers of the presets, and the ideas behind the keys, are from."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be looked up."""

    citation: str
    says: str
    """What of it is used here, in our words."""
    address: str | None
    read: str
    """What of it was read for this, in a stored copy: not always the whole, nor the original."""


SOURCES: Mapping[str, Source] = {
    "abs-datalab": Source(
        "Australian Bureau of Statistics, DataLab: Input and output clearance (2021)",
        "Rule of 10: at least ten unweighted contributors to each cell or statistic, and no difference of less than "
        "ten between tables. Frequency tables are also checked for group disclosure",
        "http://www.ausstats.abs.gov.au/statistics/microdata-tablebuilder/datalab/input-and-output-clearance",
        "the beginning of the page",
    ),
    "acro": Source(
        "ACRO (Automatic Checking of Research Outputs), user guide: Getting started",
        "the minimum cell count is 10 observations by default; a tool for outputs, not for files of records",
        "https://jessuwe.github.io/ACRO/user_guide/getting_started.html",
        "the beginning of the page",
    ),
    "cms-cell-size": Source(
        "Centers for Medicare & Medicaid Services, CMS Cell Size Suppression Policy (ResDAC, 26 January 2024)",
        "no cell with a count from 1 to 10 is reported, nor can one be derived from what is reported; zeros may be "
        "shown",
        "https://resdac.org/node/1506",
        "the beginning of the page",
    ),
    "dobra-fienberg-2001": Source(
        "A. Dobra, S. E. Fienberg: Bounds for cell entries in contingency tables induced by fixed marginal totals "
        "with applications to disclosure limitation (2001)",
        "bounds that are too tight may make information public, and a number of tables below 'a certain threshold' is"
        " evidence of disclosure",
        None,
        "section 2",
    ),
    "el-emam-2013": Source(
        "K. El Emam: Guide to the De-Identification of Personal Health Information (CRC Press 2013), chapter Cell "
        "Size Precedents",
        "a cell size of five is the historical rule (a probability of at most 0.2), some custodians use three (0.33);"
        " for public release eleven was used in the United States, and twenty for public Canadian and U.S. data",
        "https://www.taylorfrancis.com/chapters/mono/10.1201/b14764-29/cell-size-precedents-khaled-el-emam",
        "the abstract",
    ),
    "elliot-2002": Source(
        "M. J. Elliot, A. M. Manning, R. W. Ford: A computational algorithm for handling the special uniques problem "
        "(2002)",
        "a record is the riskier the fewer characteristics single it out",
        None,
        "what others wrote about it",
    ),
    "eurostat-puf": Source(
        "Eurostat, CROS portal: Microdata access",
        "public use files are anonymised so that respondents cannot be identified, also not by combining rare "
        "characteristics; scientific use files so that the risk is appropriately reduced; no number is named",
        "https://cros-legacy.ec.europa.eu/content/microdata-access",
        "the beginning of the page",
    ),
    "franconi-polettini-2004": Source(
        "L. Franconi, S. Polettini: Individual risk estimation in μ-Argus: a review (2004)",
        "the chance that a record is re-identified, estimated from sampling weights",
        None,
        "the formulas, as others print them",
    ),
    "ganta-2008": Source(
        "S. R. Ganta, S. P. Kasiviswanathan, A. Smith: Composition Attacks and Auxiliary Information in Data Privacy "
        "(KDD 2008)",
        "two releases about the same respondents, each k-anonymous, single them out where their classes overlap",
        "https://arxiv.org/abs/0803.0032",
        "the abstract",
    ),
    "hartung-2014": Source(
        "S. Hartung, C. Hoffmann, A. Nichterlein: Improved Upper and Lower Bound Heuristics for Degree Anonymization "
        "in Social Networks (2014)",
        "k-anonymous: every degree that occurs occurs at least k times; experiments with k from 2 on, no "
        "recommendation",
        "https://arxiv.org/abs/1402.6239",
        "the paper",
    ),
    "hipaa-safe-harbor": Source(
        "HIPAA Privacy Rule, section 164.514(b)(2): safe harbor",
        "18 kinds of identifiers are removed, all areas smaller than a state among them; the first three digits of a "
        "ZIP code may stay where more than 20 000 people live",
        "https://johndcook.com/blog/hipaa-identifiers-explained",
        "what others wrote about it: the list at this address, the 20 000 in medinform.jmir.org/2022/8/e37756",
    ),
    "ipc-ontario-2025": Source(
        "Information and Privacy Commissioner of Ontario: De-Identification Guidelines for Structured Data (2025)",
        "thresholds of 0.09, 0.075 and 0.05, about 11, 15 and 20 people, by how much the data invade privacy; the "
        "risk is to be monitored periodically",
        "https://www.managedprivacy.ca/?p=5212",
        "what others wrote about it: thresholds at this address, monitoring at dww.com",
    ),
    "kenthapadi-2005": Source(
        "K. Kenthapadi, N. Mishra, K. Nissim: Simulatable auditing (PODS 2005)",
        "a refusal that looks at the data tells something about them",
        "https://doi.org/10.1145/1065167.1065183",
        "the abstract",
    ),
    "li-2007": Source(
        "N. Li, T. Li, S. Venkatasubramanian: t-Closeness: privacy beyond k-anonymity and l-diversity (ICDE 2007)",
        "the distance of a sensitive attribute in a class from the whole table; an example with three classes",
        None,
        "what others wrote about it",
    ),
    "liu-terzi-2008": Source(
        "K. Liu, E. Terzi: Towards identity anonymization on graphs (SIGMOD 2008, pages 93–106)",
        "the model of k-degree anonymity",
        None,
        "the abstract",
    ),
    "machanavajjhala-2007": Source(
        "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: l-Diversity: privacy beyond k-anonymity "
        "(2007)",
        "each class has at least l well-represented values of a sensitive attribute",
        None,
        "what others wrote about it",
    ),
    "nist-si-19": Source(
        "NIST SP 800-53 revision 5, control SI-19, De-identification",
        "the effectiveness of de-identification is evaluated again, at a frequency that the organization defines",
        "https://app.xylok.io/reference/controls/control/SI-19",
        "a copy of the control",
    ),
    "oecd-rounding": Source(
        "OECD, Glossary of Statistical Terms: Conventional rounding (2005)",
        "counts are rounded to the nearest multiple of a base; with base 5, counts from 3 to 7 become 5",
        "https://stats.oecd.org/glossary/detail.asp?ID=6898",
        "the beginning of the page",
    ),
    "oecd-threshold": Source(
        "OECD, Glossary of Statistical Terms: Threshold rule (2005)",
        "some agencies require at least five respondents in a cell, others three",
        "https://stats.oecd.org/glossary/detail.asp?ID=7010",
        "the beginning of the page",
    ),
    "ons-ls": Source(
        "CeLSIUS, advice from the Office for National Statistics on the Longitudinal Study",
        "a threshold of ten observations is one part of a judgement by context",
        "http://celsius.lshtm.ac.uk/onscell.html",
        "the beginning of the page",
    ),
    "output-checking": Source(
        "DRAGoN, Operations in output checking: good practice (workshop of March 2024)",
        "statistics are checked by two people one after the other (four eyes)",
        "https://outputchecking.org/?p=46",
        "the beginning of the page",
    ),
    "stats-nz-rounding": Source(
        "Statistics New Zealand, confidentiality of census tables: random rounding",
        "each count becomes one of the two nearest multiples of 3, so that it can be up to 2 above or below what is "
        "shown",
        "http://infoshare.stats.govt.nz/browse_for_stats/Maps_and_geography/Geographic-areas/urban-rural-"
        "profile/standards.aspx",
        "the beginning of the page",
    ),
    "statcan-rounding": Source(
        "Statistics Canada, 2011 Census: Data Quality and Confidentiality Standards and Guidelines",
        "all counts are rounded at random to a multiple of 5",
        "https://bac-lac.wayback.archive-it.org/web/20131119194640/http://www12.statcan.gc.ca/census-"
        "recensement/2011/ref/DQ-QD/conf-eng.cfm",
        "the beginning of the page",
    ),
    "uk-llc": Source(
        "UK Longitudinal Linkage Collaboration, User guide: Statistical Disclosure Control (2025)",
        "no count below 10, zero included, leaves the research environment",
        "https://guidebook.ukllc.ac.uk/docs/user_guide/sdc",
        "the beginning of the page",
    ),
    "wp216": Source(
        "Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216)",
        "anonymization is no one-off exercise; the risks are to be reassessed regularly",
        "https://www.lexology.com/library/detail.aspx?g=7ce82451-b591-4e22-ab75-0a81c203f54b",
        "what others wrote about it",
    ),
}
