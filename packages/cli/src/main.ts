#!/usr/bin/env node
import process from 'node:process';
import { guardOutput } from 'toolwright/internal/light';
import type { CommandContext } from './Context.js';
import { Interrupts } from './Interrupts.js';
import { isGiven, runProgram } from './runProgram.js';
import { Terminal } from './terminal/Terminal.js';

// Standard output is for data only: text that a module of the user prints goes to standard error.
const { output, restore } = guardOutput(process.stdout, process.stderr, () => undefined);
const terminal = new Terminal(output, process.stderr, process.env);
const interrupts = new Interrupts((code) => process.exit(code));
const context: CommandContext = {
  terminal,
  folder: process.cwd(),
  interrupts,
  signal: interrupts.signal,
  fail: () => {
    process.exitCode = 1;
  },
  releaseOutput: restore,
};

for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithoutOutput);
process.on('SIGINT', () => {
  interrupts.interrupt();
});
// Node would print these as they are, with every control of their texts.
process.on('uncaughtException', (error) => {
  void import('./errors.js').then(({ showError }) => {
    showError(terminal, error, { json: isGiven(process.argv, '--json'), verbose: isGiven(process.argv, '--verbose') });
    endProcess(1);
  });
});

// Nothing is left that could go on, and the command has not ended: Node would end the process as if all was well.
const reportIdleProcess = (): void => {
  void Promise.all([import('./errors.js'), import('./CliError.js')]).then(([{ showError }, { CliError }]) => {
    const problem = 'the command waits for something that nothing in this process will bring about';
    showError(terminal, new CliError(problem, { code: 'E979' }), { json: isGiven(process.argv, '--json') });
    endProcess(1);
  });
};
process.once('beforeExit', reportIdleProcess);

void runProgram(context, process.argv).then((code) => {
  process.off('beforeExit', reportIdleProcess);
  endProcess(code ?? process.exitCode);
});

/** An application may leave timers and sockets open; the streams are flushed first. */
function endProcess(code: typeof process.exitCode): void {
  process.exitCode = code;
  output.write('', (error) => {
    // A write that failed before may not have been reported yet.
    if (error) endWithoutOutput(output.errored ?? error);
    else process.stderr.write('', () => process.exit());
  });
}

/** Ends the process, since its output is lost. */
function endWithoutOutput(error: NodeJS.ErrnoException): void {
  // A reader that has seen enough, such as head, closes its pipe, which is not a failure.
  if (error.code === 'EPIPE') process.exit();
  void Promise.all([import('./errors.js'), import('./CliError.js')]).then(
    ([{ showError }, { createWriteError: unwritable }]) => {
      const remedy = 'Make room where the output goes, or send it elsewhere.';
      showError(terminal, unwritable('standard output', error, remedy), { json: false });
      process.exit(2);
    },
  );
}
