import type { FileHandle } from 'node:fs/promises';

/** Small enough that other work of the process gets its turn while a long log is read. */
const CHUNK = 1 << 20;
const NEW_LINE = 0x0a;

/** The whole lines of a file from `start` to `size`, in bytes; without their ends. */
export async function* linesOf(handle: FileHandle, start: number, size: number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let position = start;
  while (position < size) {
    const { bytesRead, buffer } = await handle.read({
      buffer: Buffer.allocUnsafe(Math.min(CHUNK, size - position)),
      position,
    });
    if (bytesRead === 0) return;
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    let begin = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, begin)) {
      yield Buffer.concat([...rest, chunk.subarray(begin, end)]);
      rest = [];
      begin = end + 1;
    }
    rest.push(chunk.subarray(begin));
  }
}
