import type { Words } from './vocabulary.ts';
const sendInquiry = `向你所服务的人提问，并等待答复。问题会显示在对方的手机和电脑上；对方作答后调用才返回，可能几秒，也可能几小时。

应当提问：
- 请求有多种理解，会导致不同的结果，而且查不到答案；
- 只有人能决定：偏好、优先级、取舍、预算、名称；
- 下一步难以撤销或会影响外部（删除、付款、发布、发送、部署），而对方并未明确要求；
- 缺少只有对方能给的东西：权限、凭证、文件、没有记载的事实。

不要提问：
- 通过阅读、搜索或调用工具就能弄清的事：先自己查；
- 是否继续对方已经要求的事；
- 汇报进度或结果：用 send_notice，或写在回复里；
- 已被回答、被拒绝或超时的问题，换个说法也不要再问。

如果你正打算以一个问题结束这一轮回复，请改为调用本工具。

一次问全当前需要的内容。在 prompt 中写明你在做什么、发现了什么、答复会影响什么：对方可能几小时后才在手机上看到。可能的答案不多时，用 questions 给出选项；把你的最佳猜测放进 suggested。需要批准的步骤用 actions 发送，并附上确切的参数。返回的文字就是对方的原话，或说明由谁代为决定。若 status 为 "pending"，请带上 inquiryId 调用 get_answer。被拒绝、超时或收回，都不等于同意。`;

export const zh: Words = {
  instructions: {
    source:
      'Beckon 能在最近的设备上找到你所服务的人。需要只有对方才能决定或知道的内容时、执行难以撤销的步骤之前、以及想以提问结束回复时，请使用 send_inquiry；能自己查到的先自己查。调用会一直等到对方作答。若结果为 "pending"，请带上其 inquiryId 调用 get_answer。无需答复的消息用 send_notice。拒绝、超时或沉默都不是同意。',
    device:
      '这些工具代表一个人行事：list_inquiries 显示智能体向其提出的问题，answer_inquiry 以其名义作答且无法撤回。只回答此人让你回答的内容。',
  },
  tools: {
    send_inquiry: {
      title: '询问对方',
      description: sendInquiry,
      parameters: {
        prompt:
          '要问的内容，Markdown 格式。单独使用时是一个自由作答的问题；与 questions、document、actions 或 link 一起使用时是引言。',
        title: '锁屏上显示的一行，最多 140 个字符。默认取 prompt 的第一行。',
        questions: '最多 20 个问题，逐一作答。不能与 document、actions 或 link 同时使用。',
        'questions.id': '你给问题起的名字；答案以它为键返回。',
        'questions.prompt': '问题。',
        'questions.header': '简短的标题。',
        'questions.required': 'true：不可跳过。',
        'questions.type': 'text：自由填写；choice：选一项；multi：选多项；form：由 schema 描述的表单。',
        'questions.multiline': '用于 text：可写多行。',
        'questions.secret': '用于 text：密码或密钥；不会出现在任何列表、历史或日志中。',
        'questions.options': '用于 choice 和 multi。',
        'questions.options.value': '选中后返回给你的值。',
        'questions.options.label': '对方看到的文字。',
        'questions.options.description': '选择它意味着什么。',
        'questions.options.preview': '较长的 Markdown 文字，需要时展开。',
        'questions.allowOther': 'true：对方可以自己写答案。',
        'questions.min': '用于 multi：至少选几项。',
        'questions.max': '用于 multi：最多选几项。',
        'questions.schema': '用于 form：一个由简单字段组成的对象的 JSON Schema。',
        document: '待修改的文字：对方就地编辑后发回。',
        'document.markdown': '文字，Markdown 格式。',
        actions: '需要批准的工具调用，按此顺序逐一决定。',
        'actions.name': '工具名。',
        'actions.args': '确切的参数。',
        'actions.description': '它做什么、为什么要做，Markdown 格式。',
        'actions.argsSchema': '参数的 JSON Schema，供修改参数时使用。',
        'actions.allowed': '你能执行哪些决定：approve 批准、edit 修改参数、reject 拒绝、respond 以文字代替执行。',
        'actions.options': '用你自己的按钮代替普通的批准和拒绝。',
        'actions.diff': '它会改动的文件及其新旧内容。',
        'actions.caution': 'true：难以撤销；对方需确认两次。',
        link: '对方需要打开并操作的网页，例如登录。',
        'link.completes': 'self：由对方告知已完成；external：你得知完成后自行收回。',
        suggested: '你建议的答案，形式与答案相同；对方一点即可发送。',
        'suggested.text': '用于只有 prompt 的提问。',
        'suggested.values': '用于 questions：以问题 id 为键。',
        'suggested.markdown': '用于 document。',
        to: '要询问的人或群组的标识。省略则询问所有者。',
        deadline: '多少秒之后答案就没有用了。默认一天。',
        assurance:
          'passkey：只有本人用通行密钥签名或用备用码给出的同意才算数；拒绝不需要。默认 tap，除非所有者另有要求。',
        approvals:
          '与 actions 一起使用：须由这么多不同的人批准同样的调用才可执行；一人拒绝即告结束，有人修改则重新开始。',
        'approvals.count': '多少个不同的人，2 到 5。',
        validFor: '批准后多少秒之内可以执行；过后不可执行。默认由来源决定，否则一天。',
        escalate: '没有人作答时，到时也问这些人，最多五步，一步比一步晚。默认由来源决定；空列表表示不再问别人。',
        'escalate.after': '提问多少秒之后，须在期限之前。',
        'escalate.to': '从那时起也问的人或群组的标识。',
        onExpire: '无人按时作答时：expire（默认）如实告知；suggested 返回你的建议并注明。',
        urgency: '只有等待会造成损失时才用 high。',
        privacy: '锁屏上可以显示多少内容。',
        group: '多个问题使用相同的文字，会显示为一张卡片。',
        key: '使调用可重复：相同的 key 加相同的问题就是同一个问题。',
        supersedes: '被本问题取代的 inquiryId。',
        context: '问题的来源；以小字显示。',
        'context.agent': '你的名字。默认为客户端的名字。',
        'context.subagent': '提问的子智能体；针对智能体的规则两者都看。',
        'context.language': '返回文字的语言，如 en 或 zh。',
        'context.links': '作答前值得打开的网页。',
        'context.threadId': '所属的会话。',
        'context.runId': '所属的运行；同一次运行的问题会显示在一起。',
        'context.cwd': '你工作的文件夹。',
        'context.links.label': '对方看到的文字。',
        'context.links.url': '网页的地址。',
        'actions.id': '你自己给调用起的 id；原样返回。',
        'actions.options.id': '你给按钮起的名字；决定中以 optionId 引用。',
        'actions.options.label': '按钮上的文字。',
        'actions.options.type': '按下它意味着批准还是拒绝。',
        'actions.options.remember': '选中后你会记住什么，用对方能读懂的话。',
        'actions.options.stop': 'true：选中后你会完全停下。',
        'actions.options.data': '你自己的任何内容；原样返回。',
        'actions.diff.path': '文件的路径。',
        'actions.diff.oldText': '现在的内容；新文件为空。',
        'actions.diff.newText': '之后的内容；删除时为空。',
        'link.url': '网页的地址。',
        rules: 'none：无论有什么规则，都询问人。',
        'suggested.other': '问题允许其他答案时，以问题 id 为键的自填内容。',
        'suggested.decisions': '每个动作一个决定，按顺序。',
        'suggested.decisions.type':
          'approve 批准、edit 修改参数（附 args）、reject 拒绝（附 message）、respond 以文字代替（附 message）。',
        'suggested.decisions.optionId': '动作带有选项时：所选的选项。',
        'suggested.decisions.args': '用于 edit：改用的参数。',
        'suggested.decisions.argsText': '用于 edit，代替 args：参数的确切 JSON 文本，用于浮点数会改变数字的情况。',
        'suggested.decisions.message': '用于 reject：原因。用于 respond：代替执行结果交给模型的文字。',
      },
    },
    get_answer: {
      title: '等待答复',
      description:
        '继续等待 send_inquiry 返回为 "pending" 的问题，或再次读取其答复。等待方式与 send_inquiry 相同。只要仍是 "pending" 就再次调用；不要重新发送同一个问题。',
      parameters: { inquiryId: '来自 send_inquiry 的结果。' },
    },
    decide_for_human: {
      title: '请智能体代为决定',
      description:
        '当没有人答复你的提问，或 send_inquiry 返回 "pending" 而你不能再等时：请所有者选定的智能体代替对方作答，并返回它的答案。这不是对方本人的决定，结果中会注明；原来的提问保持不变。请说明提问的来由（background）和你想达到的目标（goal）。对方拒绝作答的，仍是拒绝；只有所有者允许时，才会就这样的问题（从不就调用）再问代答。',
      parameters: {
        inquiryId: '来自 send_inquiry 的结果。',
        background: '这个问题的来由：你知道的、试过的、排除了的。',
        goal: '任务要达到的目标。',
      },
    },
    withdraw_inquiry: {
      title: '收回问题',
      description:
        '收回不再需要答复的问题，例如你已自己找到答案。它会从所有设备上消失。若期间已有人作答，你会得到该答复。',
      parameters: { inquiryId: '来自 send_inquiry 的结果。', reason: '原因，几个字即可。' },
    },
    send_notice: {
      title: '通知对方',
      description:
        '告诉对方一件无需答复的事：耗时任务完成了、出错了、需要马上知道的事。会通知其设备并立即返回。不要每一步都发，也不要用来提问。',
      parameters: {
        title: '一行，最多 140 个字符。',
        body: '更多内容，Markdown 格式。',
        link: '可打开的网页。',
        to: '人或群组的标识。省略则为所有者。',
        urgency: '只有必须马上看到时才用 high。',
        privacy: '锁屏上可以显示多少内容。',
        key: '使调用可重复：相同的 key 就是同一条通知。',
      },
    },
    list_inquiries: {
      title: '查看问题',
      description: '列出智能体向此人提出的问题，最新的在前，并附上 answer_inquiry 所需的 digest。',
      parameters: {
        state: 'open（默认）或 resolved。',
        cursor: '上一页的 nextCursor。',
        limit: '最多 100；默认 50。',
      },
    },
    answer_inquiry: {
      title: '以此人名义作答',
      description:
        '以此设备所属的人的名义回答一个问题。最先的答复有效且无法撤回；若有人更快，你会得知是谁。此人没有决定的事，绝不要回答。',
      parameters: {
        inquiryId: '来自 list_inquiries。',
        response: '以一段文字作答：用于自由问题、文档，或单个 text、choice 问题（值或显示文字）。',
        outcome: 'answered（默认）或 declined。',
        message: '拒绝时：原因。',
        text: '对只有 prompt 的提问的回答。',
        markdown: '修改后的文档。',
        values: '以问题 id 为键的答案。',
        other: '问题允许其他答案时，以问题 id 为键的自填内容。',
        decisions: '每个动作一个决定，按顺序。需要 digest。',
        'decisions.type':
          'approve 批准、edit 修改参数（附 args）、reject 拒绝（附 message）、respond 以文字代替（附 message）。',
        'decisions.optionId': '动作带有选项时：所选的选项。',
        'decisions.args': '用于 edit：改用的参数。',
        'decisions.argsText': '用于 edit，代替 args：参数的确切 JSON 文本，用于浮点数会改变数字的情况。',
        'decisions.message': '用于 reject：原因。用于 respond：代替执行结果交给模型的文字。',
        digest: '向此人展示的问题的 digest；有 decisions 时必填。',
        answerId: '使调用可重复。',
        late: 'true：即使已有结果也发送；会作为迟到的答复保留。',
      },
    },
  },
  waitingFor: (names) => `正在等待 ${names.join('、')} 答复`,
  pending: (inquiryId) =>
    `还没有人作答。问题仍显示在对方的设备上（inquiryId ${inquiryId}）。请带上此 inquiryId 调用 get_answer 继续等待；不要重新发送同一个问题，也不要把沉默当作答复。`,
  pendingTold: (inquiryId) =>
    `还没有人作答。问题仍显示在对方的设备上（inquiryId ${inquiryId}）。无需等待：问题结束时，事件 inquiry.resolved 会通知你的客户端。请先继续不依赖此答复的工作，之后带上此 inquiryId 调用 get_answer；不要重新发送同一个问题，也不要把沉默当作答复。`,
  validUntil: (at) => `可在 ${at} 之前执行，之后不可执行。`,
  lateAnswer: (who, text) => `${who} 迟到的答复：${text}`,
  decidedFor: (who, text) =>
    `${who} 代替对方作答，不是人作出的决定：\n${text}\n如果对方之后亲自答复，以对方的答复为准。`,
  undecided: (who, problem) =>
    `${who} 也没有给出答案，没有人作出决定：请不依赖它继续，或停下来说明还缺什么。（${problem}）`,
  alreadyResolved: '无法收回，因为它已有结果：',
  noticeSent: '已通知。',
  won: '此答复有效。其他设备均已得知。',
  lost: (who, device, at) => `${who} 已先在 ${device} 上于 ${at} 作答。此答复未被采用：`,
  held: (approved, wanted) => `${wanted} 人中已有 ${approved} 人批准。还须其他人批准同样的内容才算完成。`,
  tooLate: (outcome, at) => `它已于 ${at} 变为 ${outcome}；此答复来得太晚，作为迟到的答复保留。`,
  faults: (list) => `请求被拒绝，没有询问任何人。请更正后再次调用：\n${list}`,
};
