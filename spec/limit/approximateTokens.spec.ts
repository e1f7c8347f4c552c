import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { approximateTokens } from 'toolwright/adapters';

const file = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8').slice(0, 20_000);
const schema = {
  name: 'cancel_order',
  description: 'Cancel an order that was not shipped yet, and pay the money back.',
  parameters: {
    type: 'object',
    properties: {
      order_id: { type: 'string', description: 'Its id, with the leading #', pattern: '^#W\\d{7}$' },
      reason: { type: 'string', enum: ['no longer needed', 'ordered by mistake'], description: 'Why' },
      refund: { type: 'integer', minimum: 0, maximum: 100, default: 100 },
    },
    required: ['order_id', 'reason'],
    additionalProperties: false,
  },
};

/** The error, as a share of the true number. */
const errorOf = (text: string): number => Math.abs(approximateTokens(text) / encode(text).length - 1);

describe('approximateTokens', () => {
  test.each([
    [
      'English',
      'The desk looks every order up before it changes anything. When a customer asks for a refund, it checks whether the parcel has left the warehouse, and says plainly how long the money will take.',
    ],
    ['Markdown', file('docs/events.md')],
    ['TypeScript', file('src/dispatch/ToolDispatcher.ts')],
    ['a tool, as JSON', JSON.stringify(schema)],
    ['JSON on many lines', JSON.stringify(schema, null, 2)],
    ['capitals', 'THE CUSTOMER MUST CONFIRM EVERY CHANGE. NO EXCEPTIONS ARE POSSIBLE: ASK "YES" OR "NO".'],
    ['ids and numbers', '#W8732376 at 2026-11-22T08:00:29.123Z, 550e8400-e29b-41d4-a716-446655440000, 1,000,000 EUR'],
  ])('the estimate of tokens is off by a quarter at most: %s', (_what, text) => {
    expect(errorOf(text)).toBeLessThanOrEqual(0.25);
  });

  test.each([
    [
      'German',
      'Die Bestellung wird geprüft, bevor etwas geändert wird. Wenn die Kundschaft eine Rückerstattung wünscht, sagt der Schalter, wie lange die Überweisung dauert.',
    ],
    [
      'Russian',
      'Служба проверяет каждый заказ, прежде чем что-либо изменить. Если покупатель просит вернуть деньги, она говорит, сколько времени займёт перевод.',
    ],
    ['Greek', 'Το γραφείο ελέγχει κάθε παραγγελία πριν αλλάξει οτιδήποτε, και λέει πόσο θα διαρκέσει η μεταφορά.'],
    [
      'Arabic',
      'يتحقق المكتب من كل طلب قبل أن يغير أي شيء. عندما يطلب العميل استرداد المال، يقول كم من الوقت سيستغرق التحويل.',
    ],
    ['Hindi', 'डेस्क कुछ भी बदलने से पहले हर ऑर्डर की जाँच करता है, और बताता है कि इसमें कितना समय लगेगा।'],
    [
      'Chinese',
      '服务台在更改任何内容之前都会查看订单。当顾客要求退款时，它会检查包裹是否已经离开仓库，并清楚地说明退款需要多长时间。',
    ],
    [
      'Japanese',
      '窓口は何かを変更する前に、必ず注文を確認します。お客様が返金を希望された場合は、返金にかかる日数をはっきりお伝えします。',
    ],
    [
      'Korean',
      '창구는 무엇이든 변경하기 전에 모든 주문을 확인합니다. 고객이 환불을 요청하면 소포가 창고를 떠났는지 확인합니다.',
    ],
    ['Thai', 'โต๊ะบริการตรวจสอบคำสั่งซื้อทุกครั้งก่อนเปลี่ยนแปลงสิ่งใด เมื่อลูกค้าขอเงินคืน จะบอกว่าต้องใช้เวลานานเท่าใด'],
    ['emoji', '👍 Done! 🎉🎉 Shipped 📦➡️🏠 by 👩‍🚀 and 👨‍👩‍👧, rated ⭐⭐⭐⭐⭐ 😀😃😄'],
  ])('the estimate of tokens is off by a half at most: %s', (_what, text) => {
    expect(errorOf(text)).toBeLessThanOrEqual(0.5);
  });

  test('approximateTokens returns a whole number for any text, 0 for none, and the same each time', () => {
    expect(approximateTokens('')).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const tokens = approximateTokens(text);
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
        expect(approximateTokens(text)).toBe(tokens);
        expect(tokens).toBeLessThanOrEqual(text.length * 2);
        expect(approximateTokens(`${text} word`)).toBeGreaterThan(tokens);
      }),
    );
  });

  test('a hostile text takes time by its length, not by its square', () => {
    for (const hostile of ['a', ' ', '{', 'aA', '你', '\u0301', '{ '])
      expect(approximateTokens(hostile.repeat(500_000))).toBeLessThanOrEqual(1_000_000);
  });

  test.each(['x', '你', '\u0301', 'é'])('a word of ten million characters is counted as well (%j)', (character) => {
    const hundredth = approximateTokens(character.repeat(100_000));
    expect(Math.abs(approximateTokens(character.repeat(10_000_000)) - hundredth * 100)).toBeLessThanOrEqual(100);
  });
});
