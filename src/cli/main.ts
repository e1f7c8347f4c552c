#!/usr/bin/env node
import process from 'node:process';
import type { CommandContext } from './Context.js';
import { Interrupts } from './Interrupts.js';
import { runProgram } from './runProgram.js';
import { Terminal } from './Terminal.js';

const terminal = new Terminal(process.stdout, process.stderr, process.env);
const interrupts = new Interrupts((code) => process.exit(code));
const context: CommandContext = {
  terminal,
  folder: process.cwd(),
  interrupts,
  signal: interrupts.signal,
  fail: () => {
    process.exitCode = 1;
  },
};

// A reader that has seen enough, such as head, closes its pipe; that is no failure of ours.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
process.on('SIGINT', () => {
  interrupts.interrupt();
});

void runProgram(context, process.argv).then((code) => {
  process.exitCode = code ?? process.exitCode;
  // An application may leave timers and sockets open; the streams are flushed first.
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
});
