/** Limits the output of a program to a number of bytes, line breaks included, and marks the cut once. */
export class OutputCap {
  private left: number;
  private isCut = false;

  constructor(private readonly maxBytes: number) {
    this.left = maxBytes;
  }

  /** Returns the part of the text within the limit, with the mark if it is cut; undefined after the cut. */
  take(text: string): string | undefined {
    if (this.isCut) return undefined;
    const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(Math.min(this.left, 3 * text.length)));
    this.left -= written + 1;
    if (read === text.length && this.left >= 0) return text;
    this.isCut = true;
    return `${text.slice(0, read)}… [output cut here: the limit is ${String(this.maxBytes)} bytes]`;
  }
}
