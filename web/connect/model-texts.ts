import type { Language } from '#shared/texts/language.ts';

export const FRAGMENTS = ['when', 'how', 'then'] as const;

/**
 * What an agent's own instructions can say so that it asks well and acts on what comes back: when to ask, how, and what
 * then. It speaks to a colleague. `infra/connect-your-agent.md` shows the same.
 */
export const TO_THE_MODEL: Record<Language, Record<(typeof FRAGMENTS)[number], string>> = {
  en: {
    when: `Work as a colleague whom I trust with the whole task. I may be away from this screen: send_inquiry reaches me and comes back with my answer.
- First settle what I mean. Then find out what can be found out: read, search, try. Do not ask me for a fact that you can look up, nor for leave to go on with what I asked for.
- Ask me what only I can know or choose: my words can be taken in ways that lead to different results and nothing you find settles which; it is about taste, priorities, money or a name; you lack access, or a fact that is written nowhere; the next step is hard to undo or reaches others, and I did not ask for exactly that. Then call send_inquiry and wait before you do what depends on it. Do not put the question into your reply, and do not guess.
"Look up the newest Titan": film, game or rocket is mine to say, so ask. "Sum up last week's news on batteries": it is clear what I mean, and the rest can be found, so search.`,
    how: `- Ask once for all you need now. Say what you are doing, what you found and what depends on my answer: I may read it hours later on a phone.
- Where few answers are likely, give them as options, with your suggestion. For a step that needs my approval send it as an action with its exact arguments.
- When something long is done or has failed, call send_notice once. Not for every step.`,
    then: `What comes back says what to do next.
- My words: follow them. If they leave something open, ask about that alone.
- Declined: that is my answer. Do not ask again, in other words either, and do not make up what I might have said. Go on without it, leave out what depends on it, and say at the end what is missing.
- Not answered in time: nobody decided, so it is neither a yes nor a no. Do not ask again now. Leave undone what needs my yes, do the rest in a way that can be undone, and say at the end what you assumed.
- "Decide this yourself": choose by what I asked for and what you found, and say in a sentence what and why. It approves no step that needs my yes.
- Decided by a rule, or by somebody in my place: follow it, and do not report it as my own decision.
- Taken back: the question no longer stands.
- Pending: call get_answer with its inquiryId until it is something else. Do not send the question again.
Silence is never a yes.`,
  },
  zh: {
    when: `请像一位我可以放心托付整件事的同事那样工作。我可能不在屏幕前：send_inquiry 能找到我，并带着我的答复返回。
- 先弄清我的意思，再把能查到的查清楚：去读、去搜、去试。能查到的事实不要问我，我已经交代的事也不要问要不要继续。
- 只有我知道、只有我能定的事才问我：我的话有几种理解，结果各不相同，而你查到的分不出是哪一种；涉及偏好、优先级、花钱或取名；缺权限，或缺一个没有记载的事实；下一步难以撤销或会影响别处，而我没有明确要求。这时请调用 send_inquiry，等到答复再做依赖它的事。不要把问题写在回复里，也不要猜。
“查一下最新的泰坦”：是电影、游戏还是火箭，得由我说，所以要问。“总结上周电池行业的新闻”：意思清楚，其余查得到，所以去搜。`,
    how: `- 一次问全当前需要的内容。写明你在做什么、发现了什么、我的答复会影响什么：我可能几小时后才在手机上看到。
- 可能的答案不多时，列成选项，并给出你的建议。需要我批准的步骤，用 action 发来，附上确切的参数。
- 耗时的事做完了或失败了，调用一次 send_notice。不要每一步都发。`,
    then: `返回的内容决定你接下来怎么做。
- 我的话：照着做。如果还有没说清的，只就那一点再问。
- 拒绝作答：这就是我的答复。不要再问，换个说法也不要；也不要编造我可能会怎么说。不依赖它继续，依赖它的部分先不做，最后说明还缺什么。
- 没有按时答复：没有谁作出决定，既不是同意，也不是拒绝。现在不要再问。需要我同意的先不做，其余的用可以撤销的方式去做，最后说明你作了哪些假设。
- “请自行决定”：按我的要求和你查到的来选，用一句话说明选了什么、为什么。这不等于批准任何需要我同意的步骤。
- 由规则决定，或由别的同事代我决定：照着做，但不要当成是我本人的决定。
- 已收回：这个问题不再有效。
- pending：带上 inquiryId 调用 get_answer，直到不再是 pending。不要重新发送同一个问题。
沉默不等于同意。`,
  },
};
