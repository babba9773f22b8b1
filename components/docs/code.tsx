import { highlight } from "@/lib/http/docs/highlight";

/** Highlighted code. Uses only class names, never markup from elsewhere. */
export function Code({ code, language }: { code: string; language: string }) {
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
