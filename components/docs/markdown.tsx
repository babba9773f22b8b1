import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { SCROLL_REGION } from "@/components/ui/scroll-region";
import { siteHref } from "@/lib/http/docs/site-href";
import { Samples } from "./samples";

/** Renders our own Markdown as elements. Raw HTML is shown as text. */
export function Markdown({ tokens }: { tokens: Token[] }): ReactNode {
  return inSequence(tokens, (token) => <One token={token} />);
}

/** Keyed by index: tokens have no other identity. */
function inSequence(tokens: Token[], show: (token: Token) => ReactNode): ReactNode {
  let at = 0;
  return tokens.map((token) => {
    const key = at;
    at += token.raw.length + 1;
    return <Fragment key={key}>{show(token)}</Fragment>;
  });
}

function One({ token }: { token: Token }): ReactNode {
  const inner = "tokens" in token && token.tokens ? <Markdown tokens={token.tokens} /> : null;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "text":
    case "escape":
      return inner ?? plain(token.text as string);
    case "paragraph":
      return <p>{inner}</p>;
    case "strong":
      return <strong>{inner}</strong>;
    case "em":
      return <em>{inner}</em>;
    case "codespan":
      return <code>{token.text as string}</code>;
    case "checkbox":
      return <span className="docs-checkbox" aria-hidden="true" />;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "blockquote":
      return <blockquote>{inner}</blockquote>;
    case "heading":
      return <h4>{inner}</h4>;
    case "code":
      return <Samples samples={[{ language: token.lang as string, code: token.text as string }]} />;
    case "link":
      return <a href={siteHref(token.href as string)}>{inner}</a>;
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    default:
      throw new Error(`the documentation has no ${token.type}: ${token.raw}`);
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = inSequence(list.items, (item) => (
    <li>
      <Markdown tokens={(item as Tokens.ListItem).tokens} />
    </li>
  ));
  return list.ordered ? <ol start={list.start || 1}>{items}</ol> : <ul>{items}</ul>;
}

/** A table that scrolls by itself if it is wider than the column, also by keyboard. */
function Table({ table }: { table: Tokens.Table }) {
  const headed = table.header.some(({ text }) => text !== "");
  return (
    <div className="docs-table" tabIndex={SCROLL_REGION}>
      <table>
        {headed && (
          <thead>
            <tr>{cells(table.header, "th")}</tr>
          </thead>
        )}
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.map(({ text }) => text).join("|")}>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cells(row: Tokens.TableCell[], Cell: "th" | "td"): ReactNode {
  let at = 0;
  return row.map(({ tokens, text }) => {
    const key = `${at}`;
    at += 1;
    return (
      <Cell key={key}>
        <Markdown tokens={tokens} />
        {text === "" && Cell === "th" ? <span className="sr-only">Name</span> : null}
      </Cell>
    );
  });
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** Decodes HTML entities, which marked keeps. */
const plain = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
