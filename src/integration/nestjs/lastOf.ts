/** What is used of an observable of any library. */
interface Subscribable {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): unknown;
}

/** The last value of an observable, as filters may answer with one; any other value as it is. */
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
