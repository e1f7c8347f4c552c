/** The part of an observable, of any library, that is used. */
interface Subscribable {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): unknown;
}

/** Returns the last value of an observable, which filters may return; any other value unchanged. */
export function lastOf(value: unknown): Promise<unknown> {
  if (!isSubscribable(value)) return Promise.resolve(value);
  return new Promise((resolve, reject) => {
    let last: unknown;
    value.subscribe({
      next: (one) => (last = one),
      error: reject,
      complete: () => {
        resolve(last);
      },
    });
  });
}

function isSubscribable(value: unknown): value is Subscribable {
  return (
    typeof value === 'object' && value !== null && typeof (value as Partial<Subscribable>).subscribe === 'function'
  );
}
