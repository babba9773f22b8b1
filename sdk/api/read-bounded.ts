/** The most bytes that are read of a response, decoded. The largest that the service sends has a few megabytes. */
export const MOST_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a response's body, which may come from any server.
 *
 * @throws Error if it is larger than `most`; the rest is not read
 */
export async function readBounded(response: Response, most = MOST_RESPONSE_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    length += part.value.length;
    if (length > most) {
      await reader?.cancel();
      throw new Error(`The response has over ${most} bytes.`);
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads a response's body as text, like {@link readBounded}. */
export async function readBoundedText(response: Response, most?: number): Promise<string> {
  return new TextDecoder().decode(await readBounded(response, most));
}
