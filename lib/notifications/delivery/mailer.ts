import { createTransport } from "nodemailer";
import type { MailEnv } from "@/lib/env";

/** A message to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same for each attempt: servers that keep it show a message once that was sent twice. */
  messageId: string;
  /** Further headers, such as `List-Unsubscribe`. */
  headers: Record<string, string>;
}

/** The server of an address has refused it for good. Its text may quote the address: it is not kept. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  constructor(readonly status: number) {
    super(`the address was refused with ${status}`);
  }
}

/** A message did not go out; another attempt may succeed. */
export class MailFailed extends Error {
  override readonly name = "MailFailed";
  /** For the log, which shows no message. */
  constructor(readonly code: string) {
    super(`a message was not sent: ${code}`);
  }
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/**
 * Sends one message by SMTP, over TLS: from the first byte, or upgraded (STARTTLS). A server without TLS gets nothing, neither
 * password nor message.
 *
 * @param ca PEM of a certificate authority beside the usual ones; tests have their own
 * @throws MailRefused when the address does not exist or takes no messages from us; MailFailed for all else
 */
export async function sendMail(server: MailEnv, mail: Mail, ca?: string): Promise<void> {
  const { host, port, implicitTls, plain, user, password, from } = server;
  const transport = createTransport({
    host,
    port,
    secure: implicitTls,
    requireTLS: !implicitTls && !plain,
    ignoreTLS: plain,
    tls: { minVersion: "TLSv1.2", ...(ca ? { ca } : {}) },
    ...(user ? { auth: { user, pass: password ?? "" } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // What a message is made of is given here whole: nothing in it names a file or an address to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from, ...mail });
  } catch (error) {
    throw asOurs(error);
  } finally {
    transport.close();
  }
}

/** What the response to the recipient or the message says of the address; all else is between us and our server. */
function asOurs(error: unknown): MailRefused | MailFailed {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string };
  const ofAddress = command === "RCPT TO" || command === "DATA";
  if (ofAddress && responseCode !== undefined && responseCode >= 500) return new MailRefused(responseCode);
  return new MailFailed(responseCode === undefined ? (code ?? "unknown") : String(responseCode));
}
