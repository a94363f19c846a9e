import type { RealProject } from "./real-project.ts";

export const debianProjects: readonly RealProject[] = [
  {
    name: "jinja2",
    version: "3.1.2",
    tools: "pytest, environment with an editable install",
    from: {
      debian: "pool/main/j/jinja2/jinja2_3.1.2.orig.tar.gz",
      sha256: "31351a702a408a9e7595a8fc6150fc3f43bb6bf7e319770cbc0db9df9437e852",
    },
    tests: "shipped",
    needs: ["pytest"],
    files: { ".gitignore": ".venv/\n__pycache__/\n.pytest_cache/\n*.egg-info/\n" },
    install:
      "/usr/bin/python3 -m venv --without-pip --system-site-packages .venv && " +
      'echo "$PWD/src" > "$(echo .venv/lib/python3*/site-packages)/jinja2.pth"',
    runner: "pytest",
    command: ".venv/bin/python -m pytest -q tests/test_filters.py tests/test_lexnparse.py tests/test_api.py",
    breaks: "sed -i 's/return soft_str(s).upper()/return soft_str(s)/' src/jinja2/filters.py",
  },
  {
    name: "pflag",
    version: "1.0.6~git20210604",
    tools: "Go modules",
    from: {
      debian:
        "pool/main/g/golang-github-spf13-pflag/golang-github-spf13-pflag_1.0.6~git20210604-d5e0c0615ace.orig.tar.xz",
      sha256: "9b21056481ebf33e78a80ae999a714abb29392a5995a515bc8fefd6d88b6b204",
    },
    tests: "shipped",
    needs: ["go"],
    runner: "go",
    command: "go test -vet=off -v ./...",
    breaks: "sed -i 's/return f.parsed/return !f.parsed/' flag.go",
  },
  {
    name: "cjson",
    version: "1.7.15",
    tools: "C, Makefile",
    from: {
      debian: "pool/main/c/cjson/cjson_1.7.15.orig.tar.gz",
      sha256: "5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2",
    },
    tests: "shipped",
    needs: ["gcc"],
    runner: "lines",
    command: "make -s test && git diff --exit-code",
    breaks: "sed -i 's/return (char[*])print(item, true/abort(); return (char*)print(item, true/' cJSON.c",
  },
];
