import type { Node } from "./node";
import type { OperationReference } from "./read-reference";

/** One request in three languages, without any package. */
export interface Samples {
  curl: string;
  typescript: string;
  python: string;
}

/** What sends the operation's example; the API key comes from `HALCYON_API_KEY`. */
export function samplesOf(operation: OperationReference, baseURL: string): Samples {
  const { method, example } = operation;
  const url = `${baseURL}${example.path}`;
  return {
    curl: curl(method, url, example.body),
    typescript: typescript(method, url, example.body),
    python: python(method, url, example.body),
  };
}

function curl(method: string, url: string, body: Node | undefined): string {
  // With a body curl sends POST by itself, else GET.
  const implied = body === undefined ? "GET" : "POST";
  return [
    `curl ${method === implied ? "" : `-X ${method} `}"${url}"`,
    `-H "Authorization: Bearer $HALCYON_API_KEY"`,
    ...(body === undefined ? [] : [`-d '${indented(jsonOf(body), "  ").replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
}

/** In one line when that is short. */
function jsonOf(body: Node): string {
  const short = JSON.stringify(body);
  return short.length <= 50 ? short : JSON.stringify(body, null, 2);
}

function typescript(method: string, url: string, body: Node | undefined): string {
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    `  headers: { Authorization: \`Bearer \${process.env.HALCYON_API_KEY}\` },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), "  ")}),`]),
  ];
  return [
    `const response = await fetch("${url}", {`,
    ...options,
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function python(method: string, url: string, body: Node | undefined): string {
  return [
    "import json, os, urllib.request",
    "",
    "request = urllib.request.Request(",
    `    "${url}",`,
    `    method="${method}",`,
    `    headers={"Authorization": f"Bearer {os.environ['HALCYON_API_KEY']}"},`,
    ...(body === undefined ? [] : [`    data=json.dumps(${indented(pythonValue(body), "    ")}).encode(),`]),
    ")",
    "with urllib.request.urlopen(request) as response:",
    "    print(response.status, response.read().decode())",
  ].join("\n");
}

const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

function pythonValue(value: Node, margin = ""): string {
  const inner = `${margin}    `;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((entry) => `${inner}${pythonValue(entry, inner)},`).join("\n")}\n${margin}]`;
  }
  if (typeof value === "object") {
    const pairs = Object.entries(value).map(
      ([key, entry]) => `${inner}${JSON.stringify(key)}: ${pythonValue(entry, inner)},`,
    );
    return pairs.length === 0 ? "{}" : `{\n${pairs.join("\n")}\n${margin}}`;
  }
  return JSON.stringify(value);
}
