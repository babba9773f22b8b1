import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import http from "highlight.js/lib/languages/http";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";

/** A piece of code with the CSS class that colors it (`hljs-keyword`). */
interface Piece {
  text: string;
  classes: string;
}

const LANGUAGES = {
  bash,
  sh: bash,
  console: bash,
  go,
  http,
  js: typescript,
  json,
  python,
  ruby,
  ts: typescript,
  typescript,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const highlighted = new Map<string, Piece[]>();

/** Splits code into colored pieces. In an unknown language, it is one piece. */
export function highlight(code: string, language: string): Piece[] {
  if (!(language in LANGUAGES)) return [{ text: code, classes: "" }];
  const key = `${language}\n${code}`;
  const pieces = highlighted.get(key) ?? piecesOf(hljs.highlight(code, { language, ignoreIllegals: true }).value);
  highlighted.set(key, pieces);
  return pieces;
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/**
 * Parses the output of highlight.js, which consists of spans with classes and escaped text, so that no HTML reaches a
 * page.
 */
function piecesOf(html: string): Piece[] {
  const open: string[] = [];
  return html.split(/(<span class="[^"]*">|<\/span>)/).flatMap((part): Piece[] => {
    const [, classes] = /^<span class="([^"]*)">$/.exec(part) ?? [];
    if (classes !== undefined) open.push(classes);
    else if (part === "</span>") open.pop();
    else if (part !== "") {
      return [
        { text: part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (one) => ENTITIES[one] ?? one), classes: open.join(" ") },
      ];
    }
    return [];
  });
}
