# make demo: set up what is missing, then build the reports of two sample studies
# make test: set up what is missing, then run the linters and the tests that find most (about four minutes on two cores)
# make campaign: what `make test` leaves out: tests/campaign, and every property with many more examples
# make campaign SHARD=robustness (or samples, rest): a third of it
# make budget: run the fast tests and write tests/cpu_budget.toml, the CPU seconds that each folder may need
# make docs: set up what is missing, then write the generated pages of docs/ anew
# make gallery: set up what is missing, then draw the pages of every sample's report for docs/gallery.md
# make verapdf: fetch veraPDF through Maven, with which the tests then check every PDF against its standards
# make axe: fetch axe-core through npm, with which the tests then look for what keeps people out of the pages
# make bench: set up what is missing, then measure what reading and reporting cost
# make lowest: install the oldest libraries that pyproject.toml allows, and write and verify a report with them
# make dist: build sdist and wheel into dist/, and check them
# make release: gather the changes, commit, tag, and `make dist`; nothing is uploaded (docs/releasing.md)
# make single-file: `make dist`, and all of it in one file of 109 MB for machines without a network: dist/haledger.pex
# make image: `make dist`, and an OCI image of it by podman (or OCI=docker): localhost/haledger
# make site: set up what is missing, then build the documentation site of docs/ and check its links
# make metamorphic: set up what is missing, then vary studies in ways that change no failover, and count what comes out
# make coverage: set up what is missing, then measure how often the published intervals hold the truth

PYTHON ?= python3
BIN = .venv/bin
OCI ?= podman

.PHONY: demo test campaign budget setup setup-dev format docs gallery samples verapdf axe bench metamorphic coverage lowest site dist release single-file image clean

demo: setup
	@$(BIN)/haledger demo
	@echo "  . .venv/bin/activate        # first, once in each shell; or type .venv/bin/haledger" >&2

test: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy -n 2
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n auto --dist loadgroup -p tests.cpu --cpu-budget=$(or $(BUDGET),say) --ignore=tests/campaign

robustness = tests/campaign/robustness tests/campaign/haledger
samples = tests/campaign/samples tests/campaign/reports tests/campaign/docs
rest = tests $(addprefix --ignore=,$(robustness) $(samples))

campaign: setup-dev
	$(BIN)/python -m pytest -n auto --dist loadgroup --campaign --hypothesis-profile=full $(if $(UNTIL),--until=$(UNTIL)) $(if $(SHARD),$($(SHARD)))

# at a quiet moment, after tests were added or made faster
budget: setup-dev
	$(BIN)/python -m pytest -n auto --dist loadgroup -p tests.cpu --cpu-budget=renew --ignore=tests/campaign

setup:
	@$(PYTHON) bootstrap.py
	@$(BIN)/python -m samples.simulate --missing

setup-dev:
	@$(PYTHON) bootstrap.py --dev
	@$(BIN)/python -m samples.simulate --missing

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

axe:
	mkdir -p .axe
	npm pack --silent --pack-destination .axe axe-core@4.14.1
	tar -xzf .axe/axe-core-4.14.1.tgz -C .axe --strip-components=1 package/axe.min.js package/LICENSE

bench: setup-dev
	$(BIN)/python -m bench

metamorphic: setup-dev
	$(BIN)/python -m bench.metamorphic

coverage: setup-dev
	$(BIN)/python -m bench.coverage

lowest:
	@$(PYTHON) bootstrap.py --lowest
	.venv-lowest/bin/haledger report samples/failover-modern -o lowest-report --strict
	.venv-lowest/bin/haledger verify lowest-report

site: setup-dev
	$(BIN)/python -m pip install --quiet -c constraints.txt --group site
	$(BIN)/python -m docs.site

dist: setup-dev
	$(BIN)/python -m pip install --quiet -c constraints.txt --group release
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/twine check --strict dist/*
	cd dist && sha256sum * > SHA256SUMS

release: setup-dev
	$(BIN)/python -m docs.release
	$(MAKE) dist

single-file: dist
	$(BIN)/pex dist/*.whl --constraints constraints.txt -c haledger -o dist/haledger.pex

image: dist
	$(OCI) build --file Containerfile --tag localhost/haledger .

clean:
	rm -rf .venv .venv-lowest site .mypy_cache .ruff_cache .pytest_cache .hypothesis dist *-report haledger-demo
