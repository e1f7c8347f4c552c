/** The error of an injected failure. */
export class InjectedFailure extends Error {
  override readonly name = 'InjectedFailure';
}
