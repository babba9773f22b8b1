/** Asks for a response that needs no decoder (RFC 9110, section 12.5.3). */
export const NOT_ENCODED = { "accept-encoding": "identity" } as const;

/** Reports whether a response is encoded although {@link NOT_ENCODED} was sent. */
export function isEncoded(contentEncoding: string | readonly string[] | null | undefined): boolean {
  return [contentEncoding ?? []].flat().some((coding) => !/^(identity)?$/i.test(coding.trim()));
}
