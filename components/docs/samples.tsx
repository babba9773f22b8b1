import { Check, Copy } from "lucide-react";
import { SCROLL_REGION } from "@/components/ui/scroll-region";
import { highlight } from "@/lib/http/docs/highlight";
import type { Sample } from "@/lib/http/docs/read-guide";
import { LANGUAGES, type SampleLanguage } from "./languages";

const NAMES: Record<string, string> = {
  bash: "Terminal",
  sh: "Terminal",
  console: "Terminal",
  js: "JavaScript",
  ts: "TypeScript",
  python: "Python",
  go: "Go",
  ruby: "Ruby",
  json: "JSON",
  yaml: "YAML",
  http: "HTTP",
};

/** Code to read and copy. Of several languages, shows the one chosen for the whole page. */
export function Samples({ samples, title }: { samples: Pick<Sample, "language" | "code">[]; title?: string }) {
  const [first] = samples;
  if (!first) return null;
  if (samples.length === 1) return <OneSample code={first.code} language={first.language} title={title} />;
  const has = (id: SampleLanguage) => samples.some(({ language }) => language === id);
  const without = LANGUAGES.filter(({ id }) => !has(id)).map(({ id }) => id);
  return (
    <figure className="docs-code" data-alternatives data-without={without.join(" ") || undefined}>
      <figcaption className="docs-code-head">
        <span className="docs-tabs">
          {LANGUAGES.filter(({ id }) => has(id)).map(({ id, name }) => (
            <label key={id} htmlFor={`language-${id}`} data-language={id}>
              {name}
            </label>
          ))}
        </span>
        <CopyButton />
      </figcaption>
      {samples.map(({ language, code }) => (
        <Pane key={language} code={code} language={language} />
      ))}
    </figure>
  );
}

function OneSample({ code, language, title }: { code: string; language: string; title?: string }) {
  return (
    <figure className="docs-code">
      <figcaption className="docs-code-head">
        <span className="docs-code-name">{title ?? NAMES[language] ?? "Text"}</span>
        <CopyButton />
      </figcaption>
      <Pane code={code} language={language} />
    </figure>
  );
}

function Pane({ code, language }: { code: string; language: string }) {
  return (
    <pre data-language={language} className="docs-pane" tabIndex={SCROLL_REGION}>
      <Code code={code} language={language} />
    </pre>
  );
}

/** Works once `CopyCode` has loaded. Hidden without scripts. */
function CopyButton() {
  return (
    <button type="button" className="docs-copy" data-copy aria-label="Copy">
      <Copy size={14} aria-hidden className="docs-copy-idle" />
      <Check size={14} aria-hidden className="docs-copy-done" />
    </button>
  );
}

/** Highlighted code. Uses only class names, never markup from elsewhere. */
function Code({ code, language }: { code: string; language: string }) {
  let at = 0;
  return (
    <code>
      {highlight(code, language).map(({ text, classes }) => {
        const key = at;
        at += text.length;
        return classes ? (
          <span key={key} className={classes}>
            {text}
          </span>
        ) : (
          text
        );
      })}
    </code>
  );
}
