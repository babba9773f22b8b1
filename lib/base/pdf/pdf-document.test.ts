import { decodePDFRawStream, PDFArray, PDFDocument, type PDFRawStream } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PdfDocument } from "./pdf-document";

const TIME = new Date("2026-11-23T13:00:00Z");

async function blank() {
  const document = await PdfDocument.create({ title: "Statement", time: TIME });
  document.addPage();
  return document;
}

/** Returns the content of the file's pages: drawing instructions, with texts encoded in Windows-1252. */
async function pagesOf(document: PdfDocument): Promise<string[]> {
  const file = await PDFDocument.load(await document.bytes(), { updateMetadata: false });
  return file.getPages().map((page) => {
    const contents = page.node.Contents();
    const streams = contents instanceof PDFArray ? contents.asArray() : [contents];
    const text = streams
      .map((at) => file.context.lookup(at) as PDFRawStream)
      .map((stream) => new TextDecoder("latin1").decode(decodePDFRawStream(stream).decode()))
      .join("\n");
    return text.replace(/<([0-9A-F]*)> Tj/g, (_, hex) => `(${Buffer.from(hex, "hex").toString("latin1")}) Tj`);
  });
}

test("a file has its title, its time and what was drawn on each page", async () => {
  const document = await blank();
  document.text(50, 50, "Größe (50 %) \\ “quoted” – €5");
  document.addPage();
  document.line(50, 60, 500, 60);
  document.rect(50, 70, 3, 3);
  document.onPage(0, () => document.text(500, 800, "1 of 2", { align: "right" }));
  const pages = await pagesOf(document);
  expect(pages).toHaveLength(2);
  expect(pages[0]).toContain("(Größe (50 %) \\ \x93quoted\x94 \x96 \x805) Tj");
  expect(pages[0]).toContain("(1 of 2) Tj");
  expect(pages[1]).not.toContain("Tj");
  const file = await PDFDocument.load(await document.bytes(), { updateMetadata: false });
  expect([file.getTitle(), file.getCreationDate()]).toEqual(["Statement", TIME]);
  expect(document.omitted).toBe(false);
});

test("a script that the fonts do not have is marked, never shown as other letters", async () => {
  const document = await blank();
  document.text(50, 50, "支払い for Łódź, مرحبا and 🚢");
  expect((await pagesOf(document))[0]).toContain("([?] for [?]ód[?], [?] and [?]) Tj");
  expect(document.omitted).toBe(true);
});

test("any text can be written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (text) => {
      const document = await blank();
      document.text(50, 50, text);
      expect((await pagesOf(document))[0]?.match(/Tj/g)).toHaveLength(1);
    }),
    { numRuns: 50 },
  );
});

test("lines hold what fits, whatever the words", async () => {
  const document = await blank();
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 40 })), fc.integer({ min: 40, max: 300 }), (words, width) => {
      const lines = document.wrap(words.join(" "), width);
      for (const line of lines) expect([...line].length === 1 || document.widthOf(line) <= width).toBe(true);
      expect(lines.join("").replace(/\s/gu, "")).toBe(words.join("").replace(/\s/gu, ""));
      expect(document.widthOf(document.fit(words.join(" "), width))).toBeLessThanOrEqual(width);
    }),
  );
});
