import { marked } from "marked";
import { Markdown } from "./markdown";

/** A text of the API's description, whose `code` is marked by backticks. */
export function Text({ children }: { children: string }) {
  return <Markdown tokens={marked.lexer(children)} />;
}
