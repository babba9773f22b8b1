/** The cookies of one session (RFC 6265, limited to what one origin needs), in memory only. */
export class CookieJar {
  private readonly cookies = new Map<string, string>();

  /** Stores the cookies from a response's `Set-Cookie` headers and drops expired ones. */
  store(headers: Headers, now: Date = new Date()): void {
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";");
      const separator = pair.indexOf("=");
      if (separator < 1) continue;
      const name = pair.slice(0, separator).trim();
      if (attributes.some((attribute) => isExpired(attribute, now))) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(separator + 1).trim());
    }
  }

  /** Returns the `Cookie` header, or no header when the jar is empty. */
  header(): Record<string, string> {
    if (this.cookies.size === 0) return {};
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  }

  clear(): void {
    this.cookies.clear();
  }
}

function isExpired(attribute: string, now: Date): boolean {
  const separator = attribute.indexOf("=");
  const name = attribute.slice(0, separator).trim().toLowerCase();
  const value = attribute.slice(separator + 1).trim();
  if (name === "max-age") return Number(value) <= 0;
  return name === "expires" && new Date(value).getTime() <= now.getTime();
}
