/** Lets through so many bytes of what a program writes, line breaks included; where it cuts, it says so once. */
export class OutputCap {
  private left: number;
  private isCut = false;

  constructor(private readonly maxBytes: number) {
    this.left = maxBytes;
  }

  /** What of the text is let through, with the mark; undefined when nothing is. */
  take(text: string): string | undefined {
    if (this.isCut) return undefined;
    const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(Math.min(this.left, 3 * text.length)));
    this.left -= written + 1;
    if (read === text.length && this.left >= 0) return text;
    this.isCut = true;
    return `${text.slice(0, read)}… [output cut here: the limit is ${String(this.maxBytes)} bytes]`;
  }
}
