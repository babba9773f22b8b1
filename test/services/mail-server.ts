import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { MailEnv } from "@/lib/base/mail-env";

const pem = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../services/tls/${name}.pem`, import.meta.url)), "utf8");

/** A message that a mail server received. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body. */
  raw: string;
  encrypted: boolean;
  user: string | undefined;
}

/** A real mail server on this machine. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Returns the SMTP status with which to refuse a recipient; undefined to accept. */
  refuse: (address: string) => number | undefined = () => undefined;
  private readonly server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      key: pem("receiver-key"),
      cert: pem("receiver-cert"),
      authOptional: true,
      onAuth: ({ username, password }, _session, done) =>
        password === "right" ? done(null, { user: username }) : done(new Error("wrong password")),
      onRcptTo: ({ address }, _session, done) => {
        const status = this.refuse(address);
        if (status === undefined) return done();
        done(Object.assign(new Error(`no ${address} here`), { responseCode: status }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString(),
            encrypted: session.secure,
            user: session.user,
          });
          done();
        });
      },
      ...options,
    });
    // Ignore connections that clients break off.
    this.server.on("error", () => {});
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await new Promise<void>((resolve) => server.server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** Returns the settings that lead a process to it. */
  env(further: Partial<MailEnv> = {}): MailEnv {
    const { port } = this.server.server.address() as AddressInfo;
    const from = "Halcyon <notifications@halcyon.test>";
    return { host: "localhost", port, implicitTls: false, plain: false, from, ...further };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
