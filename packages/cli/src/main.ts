#!/usr/bin/env node
import process from 'node:process';
import { guardOutput } from 'toolwright/internal/light';
import type { CommandContext } from './Context.js';
import { Interrupts } from './Interrupts.js';
import { isGiven, runProgram } from './runProgram.js';
import { Terminal } from './terminal/Terminal.js';

// Standard output is for data only, so text that a module of the user prints goes to standard error.
const { output, restore } = guardOutput(process.stdout, process.stderr, () => undefined);
const terminal = new Terminal(output, process.stderr, process.env);
const interrupts = new Interrupts((code) => process.exit(code));
const context: CommandContext = {
  terminal,
  folder: process.cwd(),
  interrupts,
  signal: interrupts.signal,
  fail: (code = 1) => {
    process.exitCode = code;
  },
  releaseOutput: restore,
};

for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithoutOutput);
process.on('SIGINT', () => {
  interrupts.interrupt();
});
// Node would print these errors unchanged, including control characters.
process.on('uncaughtException', (error) => {
  void import('./errors.js').then(({ showError }) => {
    showError(terminal, error, { json: isGiven(process.argv, '--json'), verbose: isGiven(process.argv, '--verbose') });
    endProcess(1);
  });
});

// The event loop is empty but the command has not ended. Node would end the process with exit code 0.
const reportIdleProcess = (): void => {
  void Promise.all([import('./errors.js'), import('./CliError.js')]).then(([{ showError }, { CliError }]) => {
    const problem = 'the command waits for something that can no longer happen in this process';
    showError(terminal, new CliError(problem, { code: 'E979' }), { json: isGiven(process.argv, '--json') });
    endProcess(1);
  });
};
process.once('beforeExit', reportIdleProcess);

void runProgram(context, process.argv).then((code) => {
  process.off('beforeExit', reportIdleProcess);
  endProcess(code ?? process.exitCode);
});

/** Flushes the streams and ends the process. An application may have left timers and sockets open. */
function endProcess(code: typeof process.exitCode): void {
  process.exitCode = code;
  output.write('', (error) => {
    // An earlier failed write may not have been reported yet.
    if (error) endWithoutOutput(output.errored ?? error);
    else process.stderr.write('', () => process.exit());
  });
}

function endWithoutOutput(error: NodeJS.ErrnoException): void {
  // A reader such as head closes its pipe when it has read enough. This is not an error.
  if (error.code === 'EPIPE') process.exit();
  void Promise.all([import('./errors.js'), import('./CliError.js')]).then(
    ([{ showError }, { createWriteError: unwritable }]) => {
      const remedy = 'Free space at the output, or write it elsewhere.';
      showError(terminal, unwritable('standard output', error, remedy), { json: false });
      process.exit(2);
    },
  );
}
