/** A JSON-RPC error response. */
export class RpcError extends Error {
  override readonly name = "RpcError";
}

/** Makes one JSON-RPC 2.0 call over HTTP. Rejects if there is no response within ten seconds. */
export async function rpc<T>(url: string, method: string, params: unknown[] = []): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  const reply = (await response.json()) as { result: T; error?: { message: string } };
  if (reply.error) throw new RpcError(`${method}: ${reply.error.message}`);
  return reply.result;
}
