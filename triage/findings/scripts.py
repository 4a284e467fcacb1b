"""The programs in a finding's folder that run a solver; they do not need chcfuzz."""

ASK_CVC5 = '''"""Print the answers of cvc5 to the check-sats of a script: python ask_cvc5.py FILE (pip install cvc5)."""

import sys

import cvc5

solver = cvc5.Solver(cvc5.TermManager())
for option, value in (("incremental", "true"), ("arrays-exp", "true"), ("tlimit-per", "60000")):
    solver.setOption(option, value)
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
try:
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()), end="")
except RuntimeError as error:  # a model whose sorts are wrong, for example
    sys.exit(f"cvc5 refuses the script: {error}")
'''

CVC5_PROGRAM = '''"""Run cvc5 as its program does: python cvc5.py [--NAME[=VALUE] or --no-NAME]... FILE."""

import sys

import cvc5

solver = cvc5.Solver(cvc5.TermManager())
for flag in sys.argv[1:-1]:
    name, _, value = flag.removeprefix("--").partition("=")
    solver.setOption(name.removeprefix("no-"), value or ("false" if name.startswith("no-") else "true"))
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[-1])
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, parser.getSymbolManager()), end="")
'''

ASK_Z3 = '''"""Print the answer of Z3's HORN solver to a script: python ask_z3.py FILE (pip install z3-solver).

With -model after FILE, print Z3's model, too.
"""

import re
import sys

import z3

text = open(sys.argv[1]).read()
option = re.compile(r"^\\(set-option :(\\S+) (\\S+)\\)$", re.MULTILINE)
options = option.findall(text)
for name, value in options:
    if not name.startswith("fp."):
        z3.set_param(name, value)
solver = z3.SolverFor("HORN")
for name, value in options:
    if name.startswith("fp."):
        solver.set(name, {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value))
solver.from_string(option.sub("", text))
answer = solver.check()
print(answer)
if answer == z3.sat and "-model" in sys.argv[2:]:
    print(solver.model().sexpr())
'''

ASK_SESSION = '''"""Print the answers of one process to all systems of session.json in turn: ask_session.py COMMAND.

COMMAND starts a process that stays alive: an SMT-LIB solver that reads from a pipe, or Eldarica's server, if `server`
is true in the file. All systems together have five minutes.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile

with open("session.json") as file:
    session = json.load(file)
pipe = subprocess.PIPE
process = subprocess.Popen(
    sys.argv[1:], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, start_new_session=True
)


def stop(number, _frame):
    os.killpg(process.pid, signal.SIGKILL)
    sys.exit("the process has not ended after five minutes" if number == signal.SIGALRM else 128 + number)


for number in (signal.SIGALRM, signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, stop)
signal.alarm(300)


def run_on_server(text, words):
    link = socket.create_connection(("localhost", port))
    with link, tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(text)
        file.flush()
        link.sendall("\\n".join([ticket, "-log:0", *words, file.name, "PROVE_AND_EXIT", ""]).encode())
        link.settimeout(1)
        output = b""
        while True:
            try:
                piece = link.recv(65536)
            except TimeoutError:
                link.sendall(b"PING\\n")
                continue
            if not piece:
                return output.decode(errors="replace")
            output += piece


def run_on_pipe(text, words):
    process.stdin.write(text + '\\n(echo "end-of-answer")\\n(reset)\\n')
    process.stdin.flush()
    output = ""
    for line in process.stdout:
        if "end-of-answer" in line:
            break
        output += line
    return output


if session["server"]:
    port, ticket = int(process.stdout.readline()), process.stdout.readline().strip()
run = run_on_server if session["server"] else run_on_pipe
for number, (text, words) in enumerate(session["requests"], 1):
    lines = [line for line in run(text, words).splitlines() if line in ("sat", "unsat", "unknown") or "rror" in line]
    print(f"system {number} of {len(session['requests'])}:", *lines[:3], sep=" ", flush=True)
os.killpg(process.pid, signal.SIGKILL)
'''
