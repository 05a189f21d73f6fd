import js from '@eslint/js';
import globals from 'globals';
import lit from 'eslint-plugin-lit';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['build/', 'dist/', 'node_modules/', 'web/generated/'] },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-console': 'off',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // Scripts that run in node: the build, the tests' runners, this file.
    files: ['**/*.mjs', '*.js'],
    languageOptions: { globals: globals.node },
  },
  {
    // The npm package runs in both.
    files: ['wasm/package/*.js'],
    languageOptions: { globals: globals['shared-node-browser'] },
  },
  {
    // What these pass to page.evaluate() runs in a browser.
    files: ['tests/web/**/*.mjs'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked, lit.configs['flat/recommended']],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
);
