/** Colours and measures, as custom properties: declared once on each root, inherited by all within. */
import { css, unsafeCSS } from 'lit';

const light = `
  color-scheme: light;
  --page: var(--train-tally-page, #f4f5f8); --card: var(--train-tally-card, #ffffff); --well: #f4f5f8; --ink: var(--train-tally-ink, #12161d); --muted: var(--train-tally-muted, #556072);
  --line: var(--train-tally-line, #e0e4eb); --edge: #c3cad5; --hover: #eceff4;
  --accent: var(--train-tally-accent, #1f5ad6); --accent-ink: #ffffff; --accent-soft: #e8effc;
  --good: #0d7a48; --good-soft: #e2f4ea; --warn: #845400; --warn-soft: #fdf1d8;
  --bad: #b42318; --bad-soft: #fde9e7;
  --s1: #2860d0; --s1-ink: #fff; --s2: #8fbcf7; --s2-ink: #0c1c38; --s3: #6b45cf; --s3-ink: #fff;
  --s4: #f3a73f; --s4-ink: #301d00; --s5: #bf2f74; --s5-ink: #fff; --s6: #4cc0b5; --s6-ink: #04211f;
  --s7: #5f6c80; --s7-ink: #fff; --s8: #c2cad6; --s8-ink: #1a212c; --s9: #8a5524; --s9-ink: #fff;
  --shadow: 0 1px 2px rgb(18 22 29 / 5%), 0 4px 16px rgb(18 22 29 / 4%);
  --lift: 0 8px 30px rgb(18 22 29 / 14%);
`;

const dark = `
  color-scheme: dark;
  --page: var(--train-tally-page, #0c0f14); --card: var(--train-tally-card, #151a21); --well: #0e1218; --ink: var(--train-tally-ink, #e8ecf2); --muted: var(--train-tally-muted, #9ba8b8);
  --line: var(--train-tally-line, #262e39); --edge: #3d4856; --hover: #1c232c;
  --accent: var(--train-tally-accent, #76a9ff); --accent-ink: #071325; --accent-soft: #14243f;
  --good: #5bd49a; --good-soft: #0f2e1f; --warn: #f1c263; --warn-soft: #322809;
  --bad: #ff8a7d; --bad-soft: #3a1714;
  --s1: #4d86f0; --s1-ink: #061226; --s2: #b5d3fb; --s2-ink: #0c1c38; --s3: #8b6cf0; --s3-ink: #0d0525;
  --s4: #f5b256; --s4-ink: #301d00; --s5: #e0609b; --s5-ink: #2a0416; --s6: #5ecfc4; --s6-ink: #04211f;
  --s7: #7c8aa0; --s7-ink: #0a0e14; --s8: #aab4c2; --s8-ink: #10151d; --s9: #bd8650; --s9-ink: #1e1002;
  --shadow: 0 0 0 transparent;
  --lift: 0 10px 34px rgb(0 0 0 / 55%);
`;

export const tokens = css`
  :host {
    --radius: var(--train-tally-radius, 16px);
    --font: var(
      --train-tally-font,
      Inter,
      'Noto Sans SC',
      'PingFang SC',
      'HarmonyOS Sans SC',
      'Microsoft YaHei UI',
      'Microsoft YaHei',
      system-ui,
      sans-serif
    );
    ${unsafeCSS(light)}
  }

  @media screen and (prefers-color-scheme: dark) {
    :host(:not([scheme='light'], [host-scheme='light'])) {
      ${unsafeCSS(dark)}
    }
  }

  /* Paper is light. */
  @media screen {
    :host([scheme='dark']),
    :host([host-scheme='dark']:not([scheme='light'])) {
      ${unsafeCSS(dark)}
    }
  }
`;
