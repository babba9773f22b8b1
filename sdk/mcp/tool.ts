import type { CallToolResult, McpServer, StandardSchemaWithJSON, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { HalcyonError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { ToolAgent } from "./agent";
import { REMEDIES } from "./remedies";

/** A tool: its description for a model, and what it does for the agent. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  /** For a language model: what it does, when to use it, what the result means. */
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  /** Whether the service refuses it to a key without the scope `pay`. */
  needsPay?: true;
  run(agent: ToolAgent, input: z.output<Input>): Promise<z.output<Output>>;
  /** Returns the result as a sentence. */
  say(result: z.output<Output>): string;
}

/** A tool that can be put on a server. */
export interface Tool {
  name: string;
  needsPay: boolean;
  /** @param agent returns the agent; throws when the key is not an agent's */
  register(server: McpServer, agent: () => Promise<ToolAgent>): void;
}

/** An error with additional fields for the model, besides its code. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  constructor(
    override readonly cause: unknown,
    readonly fields: Record<string, string>,
  ) {
    super("a tool failed");
  }
}

/** Creates a tool. Results are returned as text and structured; errors as tool errors with code and remedy. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, input, output, annotations, needsPay = false } = definition;
  const [inputSchema, outputSchema] = [describedOnce(input), describedOnce(output)];
  return {
    name,
    needsPay,
    register(server, agent) {
      const config = { title, description, inputSchema, outputSchema, annotations };
      const call = async (given: unknown): Promise<CallToolResult> => {
        try {
          // The SDK has validated it against the schema.
          const found = await definition.run(await agent(), given as z.output<Input>);
          // Drop fields that a newer API adds: hosts validate results against the schema.
          const result = output.parse(found);
          return { content: texts(definition.say(result), result), structuredContent: result };
        } catch (thrown) {
          return failure(thrown);
        }
      };
      server.registerTool<StandardSchemaWithJSON, StandardSchemaWithJSON>(name, config, call);
    },
  };
}

/**
 * Returns a schema whose JSON Schema is made once. A server over HTTP is created for each request, and would otherwise
 * spend most of its time on that.
 */
export function describedOnce(schema: z.ZodObject): StandardSchemaWithJSON {
  const { jsonSchema, ...standard } = schema["~standard"];
  const schemas = new Map<string, Record<string, unknown>>();
  const once = (io: "input" | "output") => (options: Parameters<typeof jsonSchema.input>[0]) => {
    const name = `${io} ${options.target}`;
    const known = schemas.get(name) ?? jsonSchema[io](options);
    schemas.set(name, known);
    return known;
  };
  return { "~standard": { ...standard, jsonSchema: { input: once("input"), output: once("output") } } };
}

/** Returns a sentence, and everything as JSON: not every host shows structured content to the model. */
function texts(sentence: string, all: unknown): CallToolResult["content"] {
  return [sentence, JSON.stringify(all)].map((text) => ({ type: "text", text }));
}

/** Returns an error as text only: hosts validate structured content against the result schema even for errors. */
function failure(thrown: unknown): CallToolResult {
  const { cause, fields } = thrown instanceof ToolFailure ? thrown : { cause: thrown, fields: {} };
  const error = toHalcyonError(cause);
  const remedy = REMEDIES[error.code];
  const report = { error: { ...described(error), remedy, ...fields } };
  return { isError: true, content: texts(`${error.code}: ${error.message} ${remedy}`, report) };
}

function described(error: HalcyonError) {
  const { code, message, param, reason, requestId: request_id, retryAfter: retry_after_seconds } = error;
  // Other errors of this machine name its settings, which are no arguments of a tool.
  if (error.status === undefined) return { code, message, ...(code === "invalid_request" && { param }) };
  return { code, message, param, reason, request_id, retry_after_seconds };
}
