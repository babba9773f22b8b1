import { idempotencyKeyOf } from "./idempotency-key-of";
import { pythonLiteral, typescriptLiteral } from "./literals";
import type { Node } from "./node";
import type { OperationReference } from "./read-reference";
import { sdkSample } from "./sdk-sample";

/** One request in three languages: curl, the SDK, and Python's standard library. */
export interface Samples {
  curl: string;
  typescript: string;
  python: string;
}

interface Request {
  method: string;
  url: string;
  /** Headers other than `Authorization`. */
  headers: [name: string, value: string][];
  body: Node | undefined;
}

/** Returns code that sends the operation's example request. It reads the API key from `HALCYON_API_KEY`. */
export function samplesOf(operation: OperationReference, baseURL: string): Samples {
  const { method, example } = operation;
  const key = idempotencyKeyOf(operation);
  const request: Request = {
    method,
    url: `${baseURL}${example.path}`,
    headers: [
      ...(example.body === undefined ? [] : [["Content-Type", "application/json"] as [string, string]]),
      ...(key === undefined ? [] : [["Idempotency-Key", key] as [string, string]]),
    ],
    body: example.body,
  };
  return {
    curl: curl(request),
    typescript: sdkSample(operation, baseURL) ?? fetchSample(request),
    python: python(request),
  };
}

function curl({ method, url, headers, body }: Request): string {
  // curl sends POST by default if there is a body, else GET.
  const implied = body === undefined ? "GET" : "POST";
  return [
    `curl ${method === implied ? "" : `-X ${method} `}"${url}"`,
    `-H "Authorization: Bearer $HALCYON_API_KEY"`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${indented(jsonOf(body), "  ").replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
}

/** Returns JSON on one line if it is short. */
function jsonOf(body: Node): string {
  const short = JSON.stringify(body);
  return short.length <= 50 ? short : JSON.stringify(body, null, 2);
}

function fetchSample({ method, url, headers, body }: Request): string {
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    "  headers: {",
    `    Authorization: \`Bearer \${process.env.HALCYON_API_KEY}\`,`,
    ...headers.map(([name, value]) => `    "${name}": "${value}",`),
    "  },",
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(typescriptLiteral(body), "  ")}),`]),
  ];
  return [
    `const response = await fetch("${url}", {`,
    ...options,
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function python({ method, url, headers, body }: Request): string {
  return [
    "import json, os, urllib.request",
    "",
    "request = urllib.request.Request(",
    `    "${url}",`,
    `    method="${method}",`,
    "    headers={",
    `        "Authorization": f"Bearer {os.environ['HALCYON_API_KEY']}",`,
    ...headers.map(([name, value]) => `        "${name}": "${value}",`),
    "    },",
    ...(body === undefined ? [] : [`    data=json.dumps(${indented(pythonLiteral(body), "    ")}).encode(),`]),
    ")",
    "with urllib.request.urlopen(request) as response:",
    "    print(response.status, response.read().decode())",
  ].join("\n");
}

const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);
