const FENCE = '```';

/** Documents as agents write them, with everything that an editor could be tempted to tidy up. */
export const CORPUS: Record<string, string> = {
  plan: `# Plan\n\n1) Stop the hub\n2) Copy \`data/beckon.db\`\n   * the database  \n   * the key\n10) Start it\n\nHow long may it be down?\n`,
  table: `| step | seconds |who|\n|:--|--:|---|\n| a \\| b | 3 | |\n|c|\n\nDone?\n`,
  code: `Text\n\n${FENCE}ts title="a.ts"\nconst a = '\`\`';\n\n\n  // why?\n${FENCE}\n\n    indented\n\tand a tab\n\n~~~\n${FENCE}\n~~~\n`,
  quotes: `> One\n> > Two\n> > - three?\n>\nlazy\n\n> [!NOTE]\n> Four\n`,
  links: `[a](https://example.com "t") <https://b.example> [c][d] ![e](f.png)\n\n[d]: https://example.com/d\n[^1]: A note.\n\nSee[^1], www.example.com?\n`,
  tasks: `- [x] done\n- [ ] open\n  - [ ] inside\n+ another\n\n\n* loose\n\n* list\n`,
  chinese: `# 升级之前\n\n备份**数据库**。停机可以多久？\n\n谁要知道？\n\n答：\n\n「真的吗？」\n`,
  html: `<!-- v1: keep\n\nthis -->\n<details><summary>More</summary>\n\nInside?\n\n</details>\n\n<br/>&nbsp;&amp;\n`,
  spaces: `Hard  \nbreak\\\nhere   \n\n   \n\t\n# Closed ##\n\nTitle\n===\n\n***\n_ _ _\n\n\n\n`,
  marks: `**a*b*c** __d__ *e* _f_ ~~g~~ \\*not\\* \`\` \` \`\` a_b_c 2*3*4\n`,
  crlf: '# One\r\n\r\n- a\r\n- b?\r\n\r\nEnd',
  mixed: 'One\r\nTwo\nThree?\rFour\n\r\n',
  blanks:
    'Name: ____ and mail: ____\n\n___\n\nWhy?\n\n_____\n\nAnswer: ___\n\n---\n\n`___` a/___/b __init__ \\___\n\n| ___ |\n|---|\n',
  front: '---\ntitle: A\n---\n\nText\n',
  hidden: 'A\u202Eb\u2066c\u200B d\uFEFF?\n\u00A0\u3000x\u2028y\n',
  emoji: '👩‍👧 𝒳 é e\u0301?\n',
  bare: 'No end of line',
  nothing: '',
  blank: '\n\n \n',
};
