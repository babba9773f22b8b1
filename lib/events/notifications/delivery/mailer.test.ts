import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { MailServer } from "@/test/services/mail-server";
import { authority } from "@/test/services/receiver";
import { htmlBody, plainBody } from "./mail-body";
import { sendMail } from "./mailer";
import { notificationText } from "./messages";

const running: MailServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});
async function start(options?: Parameters<typeof MailServer.start>[0]): Promise<MailServer> {
  const server = await MailServer.start(options);
  running.push(server);
  return server;
}

const message = notificationText("approval_needed", "test");
const mail = {
  to: "ada@example.com",
  subject: message.subject,
  text: plainBody(message, "https://halcyon.test", { unsubscribe: null }),
  html: htmlBody(message, "https://halcyon.test", { unsubscribe: null }),
  messageId: "<1@halcyon.test>",
  headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
};

test("a message goes over STARTTLS with its password, as text and HTML, under its Message-ID", async () => {
  const server = await start();
  await sendMail(server.env({ user: "halcyon", password: "right" }), mail, authority());
  const [got] = server.received;
  expect(got).toMatchObject({
    from: "notifications@halcyon.test",
    to: ["ada@example.com"],
    encrypted: true,
    user: "halcyon",
  });
  expect(got?.raw).toContain("Message-ID: <1@halcyon.test>");
  expect(got?.raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(got?.raw).toMatch(/multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/);
});

test("with smtps: it goes over TLS from the first byte", async () => {
  const server = await start({ secure: true });
  await sendMail(server.env({ implicitTls: true }), mail, authority());
  expect(server.received).toMatchObject([{ encrypted: true }]);
});

test("a server without TLS, or with a certificate of no one's, gets neither password nor message", async () => {
  const plain = await start({ disabledCommands: ["STARTTLS"] });
  const unknown = await start();
  const login = { user: "halcyon", password: "right" };
  await expect(sendMail(plain.env(login), mail, authority())).rejects.toMatchObject({ name: "MailFailed" });
  await expect(sendMail(unknown.env(login), mail)).rejects.toMatchObject({ name: "MailFailed" });
  expect([...plain.received, ...unknown.received]).toEqual([]);
});

test("plain text is for a server of the local stack alone, which is said so", async () => {
  const server = await start({ disabledCommands: ["STARTTLS"] });
  await sendMail(server.env({ plain: true }), mail);
  expect(server.received).toMatchObject([{ encrypted: false }]);
});

test.each([
  [550, { name: "MailRefused", status: 550 }],
  [450, { name: "MailFailed", code: "450" }],
])("a recipient whom the server refuses with %i: what is thrown says so, and not whom", async (status, thrown) => {
  const server = await start();
  server.refuse = () => status;
  const sent = sendMail(server.env(), mail, authority());
  await expect(sent).rejects.toMatchObject(thrown);
  await expect(sent).rejects.not.toThrow(/ada/);
});

test("a wrong password, and a server that is away, are no fault of the address", async () => {
  const server = await start();
  const wrong = server.env({ user: "halcyon", password: "wrong" });
  await expect(sendMail(wrong, mail, authority())).rejects.toMatchObject({ name: "MailFailed", code: "535" });
  const away = server.env();
  await running.splice(0)[0]?.stop();
  await expect(sendMail(away, mail, authority())).rejects.toMatchObject({ name: "MailFailed" });
});

test("text in a message is text, whatever signs it holds", () => {
  const html = htmlBody({ ...message, lines: ['<script>"&'] }, "https://halcyon.test", { unsubscribe: null });
  expect(html).toContain("&lt;script&gt;&quot;&amp;");
  expect(html).not.toContain("<script");
});

/** Starts a server that is handed each connection, and speaks no more of SMTP than that. Returns how it is reached. */
async function startSpeaking(speak: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { host: "127.0.0.1", port, implicitTls: false, plain: true, from: "notifications@halcyon.test" };
  return { env: env as Parameters<typeof sendMail>[0], stop: () => server.close() };
}

/** Greets, and then sends this text again and again as a response that does not end. */
const endless = (text: string, everyMs: number) => (socket: Socket) => {
  socket.write("220 hello\r\n");
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once("close", () => clearInterval(timer));
};

const LONG = 60_000;
test.each<[string, (socket: Socket) => void, object]>([
  ["never says a word", () => {}, { connectMs: 50 }],
  ["greets and then says nothing", (socket) => void socket.write("220 hello\r\n"), { silenceMs: 50 }],
  ["sends a word now and then", endless("250-x\r\n", 20), { wholeMs: 300 }],
  ["sends a response without end", endless(`250-${"x".repeat(60_000)}\r\n`, 1), {}],
])("a mail server that %s is given up", async (_, speak, short) => {
  const { env, stop } = await startSpeaking(speak);
  const times = { connectMs: LONG, silenceMs: LONG, wholeMs: LONG, ...short };
  await expect(sendMail(env, mail, undefined, times)).rejects.toMatchObject({ name: "MailFailed" });
  stop();
});
