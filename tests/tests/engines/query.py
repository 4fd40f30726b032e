"""Runs the SQL statements of a JSON list from standard input in DuckDB, and prints a JSON list of what each
one returns: a list of rows, each an object."""

import json
import sys

import duckdb

database = duckdb.connect()
answers = []
for statement in json.load(sys.stdin):
    result = database.execute(statement)
    names = [column[0] for column in result.description or []]
    answers.append([dict(zip(names, row)) for row in result.fetchall()])
json.dump(answers, sys.stdout, default=float)
