# make demo: set up what is missing, then build the report of a sample study
# make test: set up what is missing, then run every check and test
# make docs: set up what is missing, then write the generated pages of docs/ anew
# make gallery: set up what is missing, then draw the pages of every sample's report for docs/gallery.md
# make verapdf: fetch veraPDF through Maven, with which the tests then check every PDF against its standards
# make bench: set up what is missing, then measure how fast logs are read
# make coverage: set up what is missing, then measure how often the published intervals hold the truth

PYTHON ?= python3
BIN = .venv/bin

.PHONY: demo test setup setup-dev format docs gallery samples verapdf bench coverage clean

demo: setup
	$(BIN)/haledger report samples/failover-2004 -o failover-2004-report

test: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadgroup

setup:
	@$(PYTHON) bootstrap.py

setup-dev:
	@$(PYTHON) bootstrap.py --dev

format: setup-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup-dev
	$(BIN)/python -m docs

gallery: setup-dev
	$(BIN)/python -m docs.gallery

samples: setup-dev
	$(BIN)/python -m samples.simulate

verapdf:
	mvn --batch-mode --quiet --file tests/reports/verapdf.pom.xml dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/.verapdf

bench: setup-dev
	$(BIN)/python -m bench

coverage: setup-dev
	$(BIN)/python -m bench.coverage

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist *-report
