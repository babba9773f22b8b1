import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, transformSync } from "esbuild";
import { afterAll, expect, test, vi } from "vitest";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { signatureHeaders } from "@/lib/events/webhooks/delivery/sign";
import { samplePayload } from "@/lib/events/webhooks/sample-payload";
import { InvalidWebhook, verifyWebhook } from "./verify-webhook";

const docs = path.resolve(import.meta.dirname, "../../../docs");
const guide = readFileSync(path.join(docs, "guides/webhooks.md"), "utf8");
const verification = readFileSync(path.join(docs, "guides/verify-webhook-signatures.md"), "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "halcyon-webhook-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Vector {
  name: string;
  secret: string;
  now: number;
  headers: Record<string, string>;
  body: string;
  accepted: boolean;
}

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [SECRET, PREVIOUS, FOREIGN] = [secretOf(0x5a), secretOf(0xa5), secretOf(0x11)];
const NOW = 1_795_226_856;
const ID = "evt_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";
const BODY = JSON.stringify({ event: "transfer.confirmed", event_id: ID, account: "@alice", counterparty: "@zoë" });

function vectors(): Vector[] {
  const at = new Date(NOW * 1000);
  const both = signatureHeaders(BODY, ID, at, [SECRET]);
  const rotated = signatureHeaders(BODY, ID, at, [SECRET, PREVIOUS]);
  const only = (headers: Record<string, string>, family: string) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(family)));
  const [own, standard] = [only(both, "x-service-"), only(both, "webhook-")];
  const signedTimestamp = (timestamp: string) => {
    const key = Buffer.from(SECRET.slice(6), "base64");
    const mac = createHmac("sha256", key).update(`${ID}.${timestamp}.${BODY}`).digest("base64");
    return { "webhook-id": ID, "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
  };
  const list: [name: string, accepted: boolean, headers: Record<string, string>, change?: Partial<Vector>][] = [
    ["a delivery", true, both],
    ["X-Service-Signature alone", true, own],
    ["Standard Webhooks alone", true, standard],
    ["after a rotation, with the new secret", true, rotated],
    ["after a rotation, with the secret before", true, rotated, { secret: PREVIOUS }],
    ["after a rotation, X-Service-Signature alone, secret before", true, only(rotated, "x-"), { secret: PREVIOUS }],
    ["after a rotation, with a third secret", false, rotated, { secret: FOREIGN }],
    ["sent 300 seconds ago", true, both, { now: NOW + 300 }],
    ["sent 301 seconds ago", false, both, { now: NOW + 301 }],
    ["sent in 301 seconds", false, both, { now: NOW - 301 }],
    ["a changed body", false, both, { body: BODY.replace("@alice", "@mallory") }],
    ["a changed body, X-Service-Signature alone", false, own, { body: `${BODY} ` }],
    ["another secret", false, both, { secret: FOREIGN }],
    ["another secret, X-Service-Signature alone", false, own, { secret: FOREIGN }],
    ["a changed id", false, { ...both, "webhook-id": `${ID}0` }],
    ["a changed timestamp", false, { ...both, "webhook-timestamp": String(NOW + 1) }],
    ["a signed timestamp that is none", false, signedTimestamp("soon")],
    ["a wrong standard signature beside a right own one", false, { ...both, "webhook-signature": "v1,AAAA" }],
    [
      "a right signature of an unknown version",
      false,
      { ...standard, "webhook-signature": standard["webhook-signature"]?.replace("v1", "v9") ?? "" },
    ],
    ["no signature", false, {}],
  ];
  return list.map(([name, accepted, headers, change]) => {
    return { name, secret: SECRET, now: NOW, headers, body: BODY, accepted, ...change };
  });
}

test("the published vectors are those the service's own signatures make", async () => {
  await expect(`${JSON.stringify(vectors(), null, 2)}\n`).toMatchFileSnapshot(path.join(docs, "webhook-vectors.json"));
});

test("verifyWebhook accepts and refuses the vectors as they say", () => {
  for (const { name, body, headers, secret, now, accepted } of vectors()) {
    const verify = () => verifyWebhook(body, headers, secret, { now: new Date(now * 1000) });
    if (accepted) expect(verify(), name).toEqual(JSON.parse(body));
    else expect(verify, name).toThrow(InvalidWebhook);
  }
});

test("the guide shows every event type once, with the fields that are delivered", () => {
  const samples = [...guide.matchAll(/^### (\S+)\n[^#]*?```json\n([\s\S]*?)```/gm)];
  expect(samples.map(([, type]) => type)).toEqual([...EVENT_TYPES]);
  for (const type of EVENT_TYPES) {
    const shown = JSON.parse(samples.find(([, name]) => name === type)?.[2] ?? "{}");
    const { test: _, ...delivered } = samplePayload(type, ID, "alice", new Date());
    expect(Object.keys(shown).sort(), type).toEqual(Object.keys(delivered).sort());
    expect(shown.event).toBe(type);
  }
});

/** Returns the code block under a language's own heading, which needs no SDK. */
function snippet(name: string, language: string): string {
  const [, code] = new RegExp(`^### ${name}\n+\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "m").exec(verification) ?? [];
  expect(code, `code of ${name}`).toBeDefined();
  return code ?? "";
}

/** Each endpoint for Node that the guides show, without its port. */
const ENDPOINTS = Object.fromEntries(
  [
    ...`### Node\n${guide}${verification}`.matchAll(
      /^### (Node|Express|Fastify|Hono|Next.js)\n[^`]*(?:`(?!``)[^`]*)*```ts norun[^\n]*\n([\s\S]*?)^```/gm,
    ),
  ].map(([, name = "", code = ""]) => [name, code.replace("4000", "0")]),
);

/** Tells the port of each server that listens. */
const TELL_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from "node:net";
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...values) {
    if (name === "listening") console.log(this.address().port);
    return emit.call(this, name, ...values);
  };`)}`;

/** Bundles an endpoint with the SDK's own `verifyWebhook`. */
async function bundle(name: string): Promise<string> {
  const file = path.join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: ENDPOINTS[name] ?? "", loader: "ts", resolveDir: import.meta.dirname },
    alias: {
      "@halcyon/sdk": path.join(import.meta.dirname, "verify-webhook.ts"),
      "@": path.resolve(import.meta.dirname, "../../.."),
    },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: file,
  });
  return file;
}

/** Returns the statuses of an endpoint for a delivery, for one with a foreign secret and for one with a space more. */
async function statusesOf(post: (delivery: RequestInit) => Promise<Response>): Promise<number[]> {
  const deliver = async (secret: string, body = BODY) => {
    const headers = { ...signatureHeaders(BODY, ID, new Date(), [secret]), "content-type": "application/json" };
    return (await post({ method: "POST", headers, body })).status;
  };
  return [await deliver(SECRET), await deliver(FOREIGN), await deliver(SECRET, `${BODY} `)];
}

test.each(["Node", "Express", "Fastify", "Hono"])(
  "the guides' endpoint for %s accepts a signed delivery and refuses a forged or changed one",
  async (name) => {
    const env = { ...process.env, HALCYON_WEBHOOK_SECRET: SECRET };
    const endpoint = spawn(process.execPath, ["--import", TELL_PORT, await bundle(name)], { env });
    try {
      const port = await new Promise<string>((resolve) =>
        endpoint.stdout.once("data", (data) => resolve(String(data))),
      );
      expect(await statusesOf((delivery) => fetch(`http://127.0.0.1:${port.trim()}/hook`, delivery))).toEqual([
        204, 400, 400,
      ]);
    } finally {
      endpoint.kill();
    }
  },
);

test("the guide's route of Next.js accepts a signed delivery and refuses a forged or changed one", async () => {
  vi.stubEnv("HALCYON_WEBHOOK_SECRET", SECRET);
  const { POST } = (await import(await bundle("Next.js"))) as { POST(request: Request): Promise<Response> };
  expect(await statusesOf((delivery) => POST(new Request("http://localhost/hook", delivery)))).toEqual([204, 400, 400]);
});

interface Language {
  name: string;
  block: string;
  /** Returns the files to write. `command` then prints a JSON array saying which vectors were accepted. */
  files: (code: string) => Record<string, string>;
  command: (file: (name: string) => string) => [string, ...string[]];
  version: [string, ...string[]];
  /** Text the code must contain on machines where it can't be run. */
  holds: string[];
}

const vectorsFile = path.join(docs, "webhook-vectors.json");

const LANGUAGES: Language[] = [
  {
    name: "TypeScript",
    block: "ts",
    files: (code) => ({
      "verify.mjs": `${transformSync(code, { loader: "ts" }).code}
        import { readFileSync } from "node:fs";
        const accepts = ({ body, headers, secret, now }) => {
          try { return verifyWebhook(Buffer.from(body), headers, secret, now) !== undefined; } catch { return false; }
        };
        console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2], "utf8")).map(accepts)));`,
    }),
    command: (file) => [process.execPath, file("verify.mjs"), vectorsFile],
    version: [process.execPath, "--version"],
    holds: [],
  },
  {
    name: "Python",
    block: "python",
    files: (code) => ({
      "verify.py": `${code}
import sys
def accepts(v):
    try:
        return verify_webhook(v["body"].encode(), v["headers"], v["secret"], v["now"]) is not None
    except ValueError:
        return False
print(json.dumps([accepts(v) for v in json.load(open(sys.argv[1], encoding="utf-8"))]))
`,
    }),
    command: (file) => ["python3", file("verify.py"), vectorsFile],
    version: ["python3", "--version"],
    holds: ["hmac.compare_digest", "hashlib.sha256"],
  },
  {
    name: "Go",
    block: "go",
    files: (code) => ({
      "go.mod": "module verify\n\ngo 1.18\n",
      "verify.go": code,
      "main.go": `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var vectors []struct {
		Secret, Body string
		Now          int64
		Headers      map[string]string
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		panic(err)
	}
	accepted := []bool{}
	for _, v := range vectors {
		header := http.Header{}
		for name, value := range v.Headers {
			header.Set(name, value)
		}
		accepted = append(accepted, VerifyWebhook([]byte(v.Body), header, v.Secret, time.Unix(v.Now, 0)) == nil)
	}
	out, _ := json.Marshal(accepted)
	fmt.Println(string(out))
}
`,
    }),
    command: () => ["go", "run", ".", vectorsFile],
    version: ["go", "version"],
    holds: ["hmac.Equal", "sha256.New", 'TrimPrefix(secret, "whsec_")', '"v1," + base64.StdEncoding'],
  },
  {
    name: "Ruby",
    block: "ruby",
    files: (code) => ({
      "verify.rb": `${code}
accepted = JSON.parse(File.read(ARGV[0], encoding: "utf-8")).map do |v|
  verify_webhook(v["body"].b, v["headers"], v["secret"], v["now"])
  true
rescue ArgumentError
  false
end
puts JSON.generate(accepted)
`,
    }),
    command: (file) => ["ruby", file("verify.rb"), vectorsFile],
    version: ["ruby", "--version"],
    holds: ["OpenSSL.secure_compare", 'HMAC.digest("SHA256"', 'HMAC.hexdigest("SHA256", secret, body)', '"v1,#{'],
  },
];

for (const { name, block, files, command, version, holds } of LANGUAGES) {
  const [program, ...flags] = version;
  const installed = spawnSync(program, flags).status === 0;
  if (installed) {
    test(`the guide's ${name} accepts and refuses the vectors as they say`, () => {
      const place = mkdtempSync(path.join(folder, `${block}-`));
      const file = (file: string) => path.join(place, file);
      for (const [file, content] of Object.entries(files(snippet(name, block))))
        writeFileSync(path.join(place, file), content);
      const [binary, ...args] = command(file);
      const env = { ...process.env, GOFLAGS: "-mod=mod", GOCACHE: process.env.GOCACHE ?? path.join(folder, "cache") };
      const { status, stdout, stderr } = spawnSync(binary, args, { cwd: place, env, encoding: "utf8" });
      expect(status, stderr).toBe(0);
      expect(JSON.parse(stdout)).toEqual(vectors().map(({ accepted }) => accepted));
    });
  } else {
    test(`${program} is not installed, so the guide's ${name} is not run: it compares in constant time what it must`, () => {
      const code = snippet(name, block);
      const headers = ["webhook-id", "webhook-timestamp", "webhook-signature", "x-service-signature-previous"];
      for (const header of headers) expect(code.toLowerCase()).toContain(`"${header}"`);
      for (const part of [...holds, "300"]) expect(code).toContain(part);
    });
  }
}
