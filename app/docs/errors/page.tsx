import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { type Paragraph, parseErrorGuide } from "./guide";

export const metadata: Metadata = { title: "Errors, Halcyon" };

function Text({ paragraph }: { paragraph: Paragraph }): ReactNode {
  return (
    <p className="mt-2 text-muted leading-relaxed">
      {paragraph.map(({ code, text }) =>
        code ? (
          <code key={text} className="break-words font-mono text-[0.92em] text-ink">
            {text}
          </code>
        ) : (
          text
        ),
      )}
    </p>
  );
}

/** What `doc_url` of every error points to: docs/errors.md, a section for each code. */
export default async function Errors() {
  const guide = parseErrorGuide(await readFile(path.resolve("docs/errors.md"), "utf8"));
  return (
    <main className="mx-auto max-w-2xl px-5 py-16 sm:px-8 sm:py-24">
      <a href="/" className="font-semibold tracking-tight">
        Halcyon
      </a>
      <h1 className="mt-10 font-semibold text-4xl tracking-tight">Errors</h1>
      <Text paragraph={guide.introduction} />
      {guide.sections.map(({ code, paragraph }) => (
        <section key={code} id={code} className="scroll-mt-8 border-line border-t pt-6 mt-8 target:border-accent">
          <h2 className="font-medium font-mono text-accent">{code}</h2>
          <Text paragraph={paragraph} />
        </section>
      ))}
    </main>
  );
}
