/** Returns the error of JSON-RPC that answers a request which is not accepted. */
export function refused(
  status: number,
  code: number,
  message: string,
  { id = null, data }: { readonly id?: string | number | null | undefined; readonly data?: object | undefined } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message, data }, id }, { status });
}

/** Returns the refusal with a code of docs/errors.md. */
export function refusedAs(code: 'E694' | 'E695', status: number, message: string, id?: string | number): Response {
  const data = { code, docs: `docs/errors.md#${code.toLowerCase()}` };
  return refused(status, -32000, message, { id, data });
}
