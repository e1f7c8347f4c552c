/** Creates the JSON-RPC error that answers a refused request. */
export function createErrorResponse(
  status: number,
  code: number,
  message: string,
  { id = null, data }: { readonly id?: string | number | null | undefined; readonly data?: object | undefined } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message, data }, id }, { status });
}

/** Creates the answer to a refused request, with a code of docs/errors.md. */
export function createCodedResponse(
  code: 'E694' | 'E695' | 'E926' | 'E927',
  status: number,
  message: string,
  id?: string | number,
): Response {
  const data = { code, docs: `docs/errors.md#${code.toLowerCase()}` };
  return createErrorResponse(status, -32000, message, { id, data });
}
