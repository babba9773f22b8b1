import { marked } from "marked";
import { Markdown } from "./markdown";

/** Text from the API's description. Backticks mark `code`. */
export function Text({ children }: { children: string }) {
  return <Markdown tokens={marked.lexer(children)} />;
}
