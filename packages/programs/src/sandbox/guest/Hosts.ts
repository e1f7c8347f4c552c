/** Parses and serialises hosts of URLs by the URL standard. Runs in the guest: see `ValueInspector`. */
export class Hosts {
  /** Returns the host of a special URL in its normal form; undefined if it is invalid. */
  read(text: string): string | undefined {
    if (text.startsWith('[')) return text.endsWith(']') ? this.readIpv6(text.slice(1, -1)) : undefined;
    const decoded = this.decode(text);
    const host =
      decoded === undefined
        ? undefined
        : this.toAscii(
            decoded
              .normalize('NFKC')
              .toLowerCase()
              .replace(/\u3002/g, '.'),
          );
    if (host === undefined || host === '' || /[\0-\x20#%/:<>?@[\\\]^|\x7f]/.test(host)) return undefined;
    const labels = host.replace(/\.$/, '').split('.');
    return /^(\d+|0x[\da-f]*)$/.test(labels[labels.length - 1] ?? '') ? this.readIpv4(labels) : host;
  }

  private decode(text: string): string | undefined {
    try {
      return decodeURIComponent(text);
    } catch {
      return undefined;
    }
  }

  private readIpv4(labels: readonly string[]): string | undefined {
    const numbers = labels.map((label) => {
      if (/^0x[\da-f]*$/.test(label)) return parseInt(`0${label.slice(2)}`, 16);
      if (/^0[0-7]*$/.test(label)) return parseInt(label, 8);
      return /^[1-9]\d*$/.test(label) ? Number(label) : NaN;
    });
    const last = numbers.pop() ?? NaN;
    const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
    const isWrong =
      numbers.length > 3 || numbers.some((number) => !(number <= 255)) || !(last < 256 ** (4 - numbers.length));
    return isWrong ? undefined : [24, 16, 8, 0].map((shift) => String((address / 2 ** shift) & 255)).join('.');
  }

  private readIpv6(text: string): string | undefined {
    const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
    const halves = (embedded === null ? text : `${embedded[1] ?? ''}${this.toGroups(embedded[2] ?? '')}`).split('::');
    const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
    const missing = 8 - head.length - tail.length;
    const isWhole = halves.length === 1 ? missing === 0 : halves.length === 2 && missing > 0;
    const groups = [...head, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...tail];
    if (!isWhole || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
    return `[${this.shortenZeros(groups.map((group) => parseInt(group, 16).toString(16)))}]`;
  }

  private toGroups(ipv4: string): string {
    const bytes = ipv4
      .split('.')
      .map((byte) => (/^(0|[1-9]\d{0,2})$/.test(byte) && Number(byte) < 256 ? Number(byte) : NaN));
    const [a = NaN, b = NaN, c = NaN, d = NaN] = bytes;
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  }

  /** Replaces the first of the longest runs of zeros with `::`. */
  private shortenZeros(groups: readonly string[]): string {
    const runs = [...groups.join(':').matchAll(/\b0(?::0\b)+/g)].map(([run]) => run);
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
    if (longest === '') return groups.join(':');
    const text = `:${groups.join(':')}:`.replace(`:${longest}:`, '::');
    return text.replace(/^:(?!:)/, '').replace(/([^:]):$/, '$1');
  }

  private toAscii(host: string): string | undefined {
    const labels = host
      .split('.')
      .map((label) => (/^[\0-\x7f]*$/.test(label) ? label : `xn--${this.encodePunycode(label)}`));
    return labels.join('.');
  }

  /** Encodes a label by RFC 3492; the variables have the names of the RFC. */
  private encodePunycode(label: string): string {
    const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
    const basic = points.filter((point) => point < 128);
    let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
    let [n, delta, bias, handled] = [128, 0, 72, basic.length];
    while (handled < points.length) {
      const next = Math.min(...points.filter((point) => point >= n));
      delta += (next - n) * (handled + 1);
      n = next;
      for (const point of points) {
        if (point < n) delta++;
        if (point !== n) continue;
        output += this.encodeDigits(delta, bias);
        bias = this.adapt(delta, handled + 1, handled === basic.length);
        delta = 0;
        handled++;
      }
      delta++;
      n++;
    }
    return output;
  }

  private encodeDigits(delta: number, bias: number): string {
    let [rest, text] = [delta, ''];
    for (let k = 36; ; k += 36) {
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (rest < threshold) return text + this.encodeDigit(rest);
      text += this.encodeDigit(threshold + ((rest - threshold) % (36 - threshold)));
      rest = Math.floor((rest - threshold) / (36 - threshold));
    }
  }

  private encodeDigit(value: number): string {
    return String.fromCharCode(value < 26 ? 97 + value : 22 + value);
  }

  private adapt(delta: number, points: number, isFirst: boolean): number {
    let [rest, k] = [isFirst ? Math.floor(delta / 700) : Math.floor(delta / 2), 0];
    rest += Math.floor(rest / points);
    for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
    return k + Math.floor((36 * rest) / (rest + 38));
  }
}
