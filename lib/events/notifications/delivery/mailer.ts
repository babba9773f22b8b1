import { createTransport } from "nodemailer";
import type { MailEnv } from "@/lib/base/mail-env";

/** An email to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /**
   * The `Message-ID`, the same for each attempt, so that mail programs can show a message once even if it was sent
   * twice.
   */
  messageId: string;
  /** Further headers, such as `List-Unsubscribe`. */
  headers: Record<string, string>;
}

/**
 * The recipient's server has refused the address permanently. The server's text is dropped because it may quote the
 * address.
 */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  constructor(readonly status: number) {
    super(`the address was refused with ${status}`);
  }
}

/** A message was not sent. Another attempt may succeed. */
class MailFailed extends Error {
  override readonly name = "MailFailed";
  /** A short code for the log, which never contains the message. */
  constructor(readonly code: string) {
    super(`a message was not sent: ${code}`);
  }
}

/** How long a mail server may take, in milliseconds. */
const TIMES = {
  /** To be connected, and to greet. */
  connectMs: 10_000,
  /** Without a byte. */
  silenceMs: 20_000,
  /** For the whole message: a server may also send a byte now and then. */
  wholeMs: 60_000,
};
/** The largest response to one command. */
const RESPONSE_BYTES = 64 * 1024;

/**
 * Sends one message by SMTP over TLS, either from the first byte or after STARTTLS. A server without TLS gets neither
 * the password nor the message, unless `plain` is set.
 *
 * @param ca PEM of an additional certificate authority, for tests
 * @param times for tests
 * @throws MailRefused if the address does not exist or refuses our messages; MailFailed for every other failure
 */
export async function sendMail(server: MailEnv, mail: Mail, ca?: string, times = TIMES): Promise<void> {
  const { host, port, implicitTls, plain, user, password, from } = server;
  const transport = createTransport({
    host,
    port,
    secure: implicitTls,
    requireTLS: !implicitTls && !plain,
    ignoreTLS: plain,
    tls: { minVersion: "TLSv1.2", ...(ca ? { ca } : {}) },
    ...(user ? { auth: { user, pass: password ?? "" } } : {}),
    connectionTimeout: times.connectMs,
    greetingTimeout: times.connectMs,
    socketTimeout: times.silenceMs,
    maxResponseSize: RESPONSE_BYTES,
    // The message is complete as given. Nodemailer must not load a file or an address that its content names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from, ...mail, signal: AbortSignal.timeout(times.wholeMs) });
  } catch (error) {
    throw asOurs(error);
  } finally {
    transport.close();
  }
}

/**
 * Maps an SMTP error: a permanent refusal of the recipient or the message is about the address, everything else is
 * between us and our mail server.
 */
function asOurs(error: unknown): MailRefused | MailFailed {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string };
  const ofAddress = command === "RCPT TO" || command === "DATA";
  if (ofAddress && responseCode !== undefined && responseCode >= 500) return new MailRefused(responseCode);
  return new MailFailed(responseCode === undefined ? (code ?? "unknown") : String(responseCode));
}
