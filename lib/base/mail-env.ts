import { EnvError } from "./env-secrets";
import type { Values } from "./env-variables";

/** A mail server, and what is sent by it. */
export interface MailEnv {
  host: string;
  port: number;
  /**
   * TLS from the first byte (`smtps:`); else the connection is upgraded (STARTTLS), and not used where it cannot be.
   */
  implicitTls: boolean;
  /** No TLS at all: a server on this machine, for a local stack. */
  plain: boolean;
  user?: string;
  password?: string;
  /** The address messages come from, with or without a name. */
  from: string;
  /** Who hears that relayers run out of gas; undefined: no one. */
  operator?: string;
}

/**
 * What the mail server's address says.
 *
 * @throws EnvError for one that would send in plain text, or whose address holds more than that
 */
export function mailEnv({ SMTP_URL, MAIL_FROM, OPERATOR_EMAIL }: Values, ownChain: boolean): { mail?: MailEnv } {
  if (!SMTP_URL) {
    if (OPERATOR_EMAIL) throw new EnvError("OPERATOR_EMAIL is set, so SMTP_URL must be too: it sends the email.");
    return {};
  }
  if (!MAIL_FROM) throw new EnvError("SMTP_URL is set, so MAIL_FROM must be too: the address messages come from.");
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(SMTP_URL);
  // What libraries read from there turns off the check of certificates, among others.
  if (search || hash || !["", "/"].includes(pathname)) {
    throw new EnvError("SMTP_URL names a server and nothing else: remove what follows the host and its port.");
  }
  if (hostname === "") throw new EnvError("SMTP_URL names no server.");
  const implicitTls = protocol === "smtps:";
  const plain = !implicitTls && ownChain && ["localhost", "127.0.0.1"].includes(hostname);
  return {
    mail: {
      host: hostname,
      port: Number(port) || (implicitTls ? 465 : 587),
      implicitTls,
      plain,
      ...(username ? { user: decodeURIComponent(username), password: decodeURIComponent(password) } : {}),
      from: MAIL_FROM,
      operator: OPERATOR_EMAIL,
    },
  };
}
