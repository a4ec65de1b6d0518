# Needs Python 3.11 or later and make; everything else goes into .venv.
PYTHON ?= python3
ENV := .venv
BIN := $(ENV)/bin
# all that the tests need, and what a user needs, which is less
STAMP := $(ENV)/.installed
USER_STAMP := $(ENV)/.installed-for-a-user
CONSTRAINTS := .ci/constraints.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check
# a pipe fails where pip does
SHELL := bash
.SHELLFLAGS := -o pipefail -c
# files in their order, not those with the most tests first: the last ones, of kernels, are short, so that no process
# ends long after the others
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# processes, each with a store of its own and whole files of tests; three on two cores take a seventh less than two:
# what a test waits for is often a server or a browser that starts
WORKERS ?= 3
PYTEST_ARGS ?=
# each of the many processes that the tests start would compile all that it imports, where Python may not keep it
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help env engines demo test test-slow test-all lint format bench docs site constraints image chart clean

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null || cat $(MAKEFILE_LIST)

env: $(STAMP) ## the environment in .venv, with all that the tests need

# what builds is installed first and used without isolation, so that its version is pinned as well: hatchling for
# this project, setuptools for pyspark, which is published as source only (a bare venv's setuptools needs wheel)
$(STAMP): pyproject.toml $(CONSTRAINTS)
	$(call install,setuptools,all$(COMMA)docs$(COMMA)test)
	@touch $(USER_STAMP) $@

$(USER_STAMP): pyproject.toml $(CONSTRAINTS)
	$(call install,,local)
	$(compile)
	@touch $@

# (build tools, extras): each package is named while it is fetched, or else minutes would pass without a word;
# Python compiles what is used when it is first used, which is a part of all that there is
COMMA := ,
define install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 ...")'
@$(PYTHON) -c 'import ensurepip' || { echo "Python's venv module is needed (Debian: apt-get install python3-venv)" >&2; exit 1; }
@test -x $(BIN)/python || { echo "making the environment $(ENV)"; $(PYTHON) -m venv $(ENV); }
@echo "fetching what is needed ($(2))"
@$(PIP) install --quiet -c $(CONSTRAINTS) hatchling editables $(1)
@$(PIP) install --progress-bar off --no-compile --no-build-isolation -c $(CONSTRAINTS) -e '.[$(2)]' | $(SHOWN)
endef
# On both cores. At k = 10 the network needs the tree of the bounds as well, which at k = 5 it does not. The first server
# writes the archive of its classes, with which the next ones start in half the time; it is fetched first, and says so.
# Where it cannot be, the engines are compiled all the same.
define compile
	@echo "compiling the engines for this machine, once"
	@export AUDITOR_HOME="$(CURDIR)/$(ENV)/first-store"; \
	{ $(BIN)/auditor --store local store start && $(BIN)/auditor --quiet --store local store stop; } \
	  > /dev/null & server=$$!; \
	{ $(BIN)/auditor --quiet microdata microaggregate auditor/data/people.csv --k 5 --effort 1 --dry-run \
	  --quasi-identifier age,tenure,hours,income > /dev/null && { \
	  $(BIN)/auditor --quiet report auditor/data/ca-GrQc.csv.gz --out $(ENV)/compiled.html --force > /dev/null || \
	  test $$? -eq 1; }; } & others=$$!; \
	$(BIN)/auditor --quiet network anonymize auditor/data/ca-GrQc.csv.gz --k 10 --dry-run > /dev/null && wait $$others && \
	{ wait $$server || true; }
	@rm -rf $(ENV)/compiled.html $(ENV)/first-store
endef
SHOWN := awk '/^Collecting / { print "  " $$2; fflush() } /^Installing collected / { print "installing it"; fflush() }'

# no command without a store reaches these: tests of kernels, so that those of three processes need not compile them, too
KERNELS := $(addprefix tests/contract/test_, microaggregation.py generalization_methods.py suppressing_generalization.py) \
  $(addprefix tests/unit/graphkit/, tables/moves tables/propagation tables/search networks/realization)

# those that the demo does not use, too, which a user need not wait for
engines: $(STAMP) ## compile the engines, so that no test waits for it
	$(compile)
	@awk 'BEGIN { print "age,wage"; for (i = 0; i < 90; i++) print i % 67 + 18 "," i * i % 101 }' > $(ENV)/compiled.csv
	@awk 'BEGIN { print "age,wage,town,count"; for (i = 0; i < 60; i++) print i % 5 "," int(i / 5) % 4 "," i % 3 "," i % 7 }' \
	  > $(ENV)/counted.csv
	@{ $(BIN)/auditor --quiet microdata generalize $(ENV)/compiled.csv --quasi-identifier age,wage --k 3 --effort 0.3 \
	  --dry-run > /dev/null && \
	  $(BIN)/auditor --quiet microdata generalize $(ENV)/compiled.csv --quasi-identifier age --sensitive wage --l 2 \
	  --k 3 --effort 0.1 --dry-run > /dev/null; } & \
	$(BIN)/auditor --quiet table simulate $(ENV)/counted.csv --given age,wage --given wage,town --given age,town \
	  --out $(ENV)/simulated.csv --force > /dev/null && wait $$!
	@$(BIN)/python -m pytest -q -p no:cacheprovider -n 2 --dist loadfile -m 'not slow' $(KERNELS)
	@rm -f $(ENV)/compiled.csv $(ENV)/counted.csv $(ENV)/simulated.csv

demo: $(USER_STAMP) ## a real network audited, protected and reported on; requests for a table answered
	$(BIN)/auditor demo

test: $(STAMP) ## every test that is not slow
	$(PYTEST) -m 'not slow' $(PYTEST_ARGS)

test-slow: $(STAMP) ## the slow tests
	$(PYTEST) -m slow $(PYTEST_ARGS)

test-all: $(STAMP) ## both in one run
	$(PYTEST) $(PYTEST_ARGS)

lint: $(STAMP) ## style, formatting, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP) ## put the source into its form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP) ## measure this machine
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

docs: $(STAMP) ## write docs/commands.md and docs/policy.md from the program
	$(BIN)/python -m cli.reference docs/commands.md
	$(BIN)/python -m auditor.policy.page docs/policy.md

# mkdocs.yml is strict: a broken link or a page outside the navigation fails (with --quiet it would not: warnings are then
# not counted); the variable silences the notice of the theme
site: $(STAMP) ## the documentation as a site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

constraints: $(STAMP) ## pin what is installed now
	$(PIP) freeze --all --exclude pip --exclude-editable | LC_ALL=C sort -f > $(CONSTRAINTS)

# docker, podman or buildah; OCI's own format would do as well: nothing that only Docker's has is used
BUILDER ?= docker
image: ## the container image, by BUILDER=docker, podman or buildah, with BUILD_ARGS="..."
	$(BUILDER) build $(BUILD_ARGS) --file docker/Dockerfile --tag disclosure-auditor .

# helm, and kubernetes-validate from PyPI, which has the schemas with it; every switch of the chart is thrown once
HELM ?= helm
KUBERNETES_VALIDATE ?= kubernetes-validate
KUBE_VERSION ?= 1.31.0
CHART_SETTINGS := --set ingress.enabled=true,ingress.tlsSecret=t,ingress.className=c,page.trustedProxies=10.0.0.1 \
	--set policy='[network]',environment.AUDITOR_LANG=C,environmentSecrets[0]=s,imagePullSecrets[0].name=p \
	--set data.storageClass=fast,networkPolicy.egress[0].ports[0].port=587,networkPolicy.from[0].podSelector.matchLabels.a=b
chart: ## the Helm chart, checked against the schemas of Kubernetes and packed into dist
	$(HELM) lint --strict docker/chart
	$(HELM) template auditor docker/chart --kube-version $(KUBE_VERSION) | $(KUBERNETES_VALIDATE) -k $(KUBE_VERSION) --strict /dev/stdin
	$(HELM) template auditor docker/chart --kube-version $(KUBE_VERSION) $(CHART_SETTINGS) | $(KUBERNETES_VALIDATE) -k $(KUBE_VERSION) --strict /dev/stdin
	$(HELM) package docker/chart --destination dist

clean: ## remove the environment and what tools left behind
	rm -rf $(ENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis auditor-demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
