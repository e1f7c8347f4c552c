import { FORMS } from './secretDesk';

/** Opens several doors at once: what is shown behind each, by its name. */
export type OpenDoors<Door extends string> = () => Promise<Readonly<Record<Door, string>>>;

/**
 * Tests rows of the table of doors and forms (docs/security.md): behind no door, a secret may be found in any form.
 *
 * @param doors the names of the doors that `open` opens
 */
export function describeDoors<Door extends string>(open: OpenDoors<Door>, doors: readonly Door[]): void {
  let opened: Promise<Readonly<Record<Door, string>>> | undefined;
  describe.each(doors.map((door) => [door] as const))('HOST-14d a secret behind this door: %s', (door) => {
    let shown = '';
    beforeAll(async () => {
      opened ??= open();
      shown = (await opened)[door];
    }, 120_000);

    test(`${door} shows that something is hidden`, () => {
      expect(shown).toContain('[secret]');
    });

    test.each(Object.entries(FORMS))(`${door} does not show it as %s`, (_form, { never }) => {
      const found = never.flatMap((text) => {
        const at = shown.indexOf(text);
        return at < 0 ? [] : [shown.slice(Math.max(0, at - 60), at + 60)];
      });
      expect(found).toEqual([]);
    });
  });
}
