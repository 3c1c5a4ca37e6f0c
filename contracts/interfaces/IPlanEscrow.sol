// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title IPlanEscrow
/// @notice Holds a client's money for one plan, and pays the plan's team out of it. A plan is funded once, from signed {Terms}. It is
///         sealed when its {Charter} names the payees and their amounts: at once (a direct hire) or later. It is settled step by step, each
///         step at most once. It is closed when what is left goes back to the client. After `expiry` any account can end it, and no key can
///         prevent that. Every charter has the client's decision. The client signs it with the terms (a direct hire), or the client or its
///         authorizer signs it later. Only where the terms give a veto window can the evaluator propose a charter alone. No account is paid
///         from a proposal before that window ends. Until then the client can void it.
///         What it does NOT protect against:
///         - A client that ignores a proposal for the whole veto window. Terms with `vetoSeconds` 0 allow no proposal.
///         - A stolen authorizer key together with a stolen evaluator key: they pay whom they like. Each alone cannot.
///         - An evaluator that attests to bad work, or closes a plan over work that was not submitted here. It pays sealed payees only and
///           never more than `total`. When it closes, it cannot end disputed and submitted steps.
///         - An arbitrator that rules unjustly, or addresses that differ and belong to one person.
///         Assumptions about tokens: balances change by transfers only (no rebasing), a transfer from the escrow has no fee, and the token
///         has one address. A token that breaks this harms only plans in that token, by at most the shortfall. The list of tokens is fixed
///         when the escrow is deployed. Valid signers are a key, an ERC-1271 wallet, and a wallet that is not deployed yet (ERC-6492). A
///         key whose account is delegated to code (EIP-7702) is valid too. Each signature is EIP-712, bound to this contract
///         and chain. If a call needs the signature of X, X may also make the call itself with an empty signature.
interface IPlanEscrow {
    /// @notice The status of a plan.
    enum PlanStatus { None, Funded, Closed }

    /// @notice Who signed the charter in force. {Proposed}: members and evaluator; {Authorized}: the client side too.
    enum CharterState { None, Proposed, Authorized }

    /// @notice What the client agrees to. Its EIP-712 digest is the plan's id.
    /// @param client who pays, and who is refunded
    /// @param token an ERC-20 of the list fixed at deployment
    /// @param total the funded amount in base units, including the fee
    /// @param workBy unix seconds; until when the team submits its work; later than now at funding
    /// @param reviewBy unix seconds; until when steps can be disputed, and from when silence counts; not before `workBy`
    /// @param expiry unix seconds; from then on any account may end the plan; not before `reviewBy`, at most 365 days from funding
    /// @param feeBps fee on what is paid to payees, in hundredths of a percent, at most 1000
    /// @param feeTo who is credited the fee; may be zero when `feeBps` is
    /// @param evaluator whose signature settles, and proposes charters; not the client
    /// @param arbitrator who rules on disputed steps; zero when none can be disputed; not client, evaluator or payee
    /// @param authorizer a key that may authorize and veto charters and give notice, beside the client; zero for none. It signs as a key
    ///        only, never as a contract wallet; not evaluator or arbitrator
    /// @param vetoSeconds how long a charter that the client side did not authorize waits before it pays; 0: none counts
    /// @param onSilence a set of three bits. 1: the reviewers' silence pays. A submitted step is then paid if it was not reviewed, or if
    ///        the client disputed it and the arbitrator did not rule. Without the bit it is refunded. 2: a silent member may be replaced.
    ///        {seal} then needs no signature of members that leave. 4, only with 1: silence pays half of a step, rounded down, and
    ///        refunds the rest at the close
    /// @param charter zero, or the charter of a direct hire, as {charterOf} would answer it: in force from the start
    /// @param briefHash hash of the goal as the client wrote it
    /// @param salt makes two otherwise equal terms two plans
    struct Terms {
        address client;
        address token;
        uint96 total;
        uint40 workBy;
        uint40 reviewBy;
        uint40 expiry;
        uint16 feeBps;
        address feeTo;
        address evaluator;
        address arbitrator;
        address authorizer;
        uint32 vetoSeconds;
        uint8 onSilence;
        bytes32 charter;
        bytes32 briefHash;
        uint256 salt;
    }

    /// @notice One paid unit of the charter. Adjacent steps of one payee are paid in one transfer.
    struct Step {
        address payee;
        uint96 amount;
    }

    /// @notice A share of one step's pay that goes to another account's credit, out of the payee's amount.
    /// @param step its place in the charter
    /// @param to who is credited
    /// @param bps of what the step pays, in hundredths of a percent; all of one step's together at most 5000
    struct Royalty {
        uint8 step;
        address to;
        uint16 bps;
    }

    /// @notice Who is paid, and how much.
    /// @param steps 1 to 64
    /// @param royalties at most 64, those of a lower step first
    /// @param charterHash names the document that the members agreed on
    struct Charter {
        Step[] steps;
        Royalty[] royalties;
        bytes32 charterHash;
    }

    /// @notice A member's signature under a charter.
    /// @param signer the payee, or a signer that it allowed by {setSigner}; `signature` is empty where it joins without a key
    struct MemberSignature {
        address signer;
        bytes signature;
    }

    /// @notice What {seal} takes.
    /// @param proposed whether this is the evaluator's proposal, which has to wait for the veto window
    /// @param signature the authorization of client or authorizer; empty in a proposal
    /// @param evaluatorSignature over the charter's digest; empty to authorize a proposal in force
    /// @param memberSignatures one over the charter's digest for each payee, in order of first appearance
    struct Sealing {
        Terms terms;
        uint24 version;
        Charter charter;
        bool proposed;
        bytes signature;
        bytes evaluatorSignature;
        MemberSignature[] memberSignatures;
    }

    /// @notice What {sealAndSettle} takes: an authorized charter, and what {settle} takes beside it.
    /// @param signature the evaluator's
    struct SealedSettlement {
        Sealing sealing;
        bool close;
        uint64 bits;
        bytes32 conclusionHash;
        bytes signature;
    }

    /// @notice What {settle} and {release} take.
    /// @param charter the one in force; empty for a plan that has none
    /// @param close whether to end the plan and send the rest back
    /// @param bits the steps to pay, bit i for step i
    /// @param conclusionHash names the message that the steps are paid for
    /// @param signature the evaluator's in {settle}, the client's in {release}
    struct Settlement {
        Terms terms;
        Charter charter;
        bool close;
        uint64 bits;
        bytes32 conclusionHash;
        bytes signature;
    }

    /// @notice The argument of {settleMany} and {sealAndSettleMany}: up to 256 items. Each contains only the words that differ from the
    ///         item before, because items are mostly equal.
    /// @param items for each item in order: the count of runs (2 bytes), and the runs. A run has the index of its first word (2 bytes), its
    ///        count of words (2 bytes), and these words. They overwrite the ABI-encoded arguments of the item before, which are empty for
    ///        the first item
    /// @param gasEach the gas that each item may use; one that needs or burns more fails alone. Send a gas limit of at least `gasEach` ×
    ///        64/63 for each. The batch reverts if less gas is left than the next item may use
    /// @param evaluator whose signature replaces that of each item with an attestation
    /// @param attestations the EIP-712 struct hash of the evaluator's attestation of each item, in the order of the items. There may be
    ///        fewer or none, if items have their own signatures
    /// @param signature the evaluator's, over Batch(Attestation[] attestations); not read without attestations
    struct Batch {
        bytes items;
        uint256 gasEach;
        address evaluator;
        bytes32[] attestations;
        bytes signature;
    }

    /// @notice The evaluator's receipt for submitted work. The payee keeps it, and needs it only if no one reviews.
    /// @param bits the submitted steps; 0, with an empty signature, for no receipt
    /// @param receivedAt when, in unix seconds; counts if not after `workBy`
    struct Acknowledgement {
        uint64 bits;
        bytes32 outputsHash;
        uint40 receivedAt;
        bytes signature;
    }

    /// @notice The plan's money is in the escrow.
    event PlanFunded(bytes32 indexed planId, address indexed client, address indexed token, uint96 total);
    /// @notice The charter came into force and replaced the one before, or the client side authorized the proposal in force. `payableFrom`:
    ///         0 for an authorized charter, which pays at once; otherwise the end of the veto window.
    event PlanSealed(
        bytes32 indexed planId,
        uint24 version,
        bytes32 stepsHash,
        bytes32 royaltiesHash,
        bytes32 charterHash,
        uint40 payableFrom
    );
    /// @notice The client side refused the proposal in force. No charter is in force, and no other proposal counts.
    event CharterVetoed(bytes32 indexed planId, uint24 version);
    /// @notice The client side wants its money back. From `closableFrom` on any account may refund, unless an authorized charter comes.
    event CloseRequested(bytes32 indexed planId, uint40 closableFrom);
    /// @notice The payee of these steps submitted them.
    event StepsSubmitted(bytes32 indexed planId, uint64 bits, bytes32 outputsHash);
    /// @notice The steps named by `bits` became paid. Emitted with bits 0 when a plan is closed without paying any, and by
    ///         {settleHalf}: {StepSplit} follows.
    event StepsSettled(bytes32 indexed planId, uint64 bits, bytes32 conclusionHash);
    /// @notice The steps named by `bits` became paid by default: submitted and not reviewed, or disputed without a ruling. `outputsHash` is
    ///         that of the acknowledgement; zero if none was needed. Emitted with bits 0 where silence splits: {StepSplit} follows.
    event StepsDefaulted(bytes32 indexed planId, uint64 bits, bytes32 outputsHash);
    /// @notice Half of a step was paid, because the terms split what no party decided. It follows {StepsSettled} or {StepsDefaulted}.
    event StepSplit(bytes32 indexed planId, uint8 step, uint16 payeeBps);
    /// @notice A step was disputed. The arbitrator can rule on it.
    event StepDisputed(bytes32 indexed planId, uint8 step, address indexed by, bytes32 evidenceHash);
    /// @notice The arbitrator split a disputed step.
    event StepRuled(bytes32 indexed planId, uint8 step, uint16 payeeBps, bytes32 rulingHash);
    /// @notice Client and payee split a step between them.
    event OfferAccepted(bytes32 indexed planId, uint8 step, uint16 payeeBps);
    /// @notice The token accepted a transfer of `amount` to `payee`. The plan's event before it names the steps: settled, defaulted, split,
    ///         ruled on or agreed on.
    event Paid(bytes32 indexed planId, address indexed payee, uint256 amount);
    /// @notice The token refused a transfer to `account`, payee or client; the amount waits in its credit instead.
    event Credited(bytes32 indexed planId, address indexed token, address indexed account, uint256 amount);
    /// @notice The fee on the steps just paid was added to the credit of `feeTo`.
    event FeeCredited(bytes32 indexed planId, address indexed token, address indexed feeTo, uint256 amount);
    /// @notice A royalty on a step just paid was added to the credit of `to`.
    event RoyaltyCredited(bytes32 indexed planId, address indexed token, address indexed to, uint8 step, uint256 amount);
    /// @notice The token accepted the transfer of money of the plan back to the client.
    event Refunded(bytes32 indexed planId, address indexed client, uint256 amount);
    /// @notice Everything but the steps named by `bits`, disputed or in review, has ended. The plan closes with the last.
    event PlanClosing(bytes32 indexed planId, uint64 bits);
    /// @notice No money can leave this plan any more.
    event PlanClosed(bytes32 indexed planId);
    /// @notice A credit was taken out, whole.
    event CreditWithdrawn(address indexed token, address indexed account, address indexed to, uint256 amount);
    /// @notice Whether `signer` may sign for `account` as a member was set.
    event SignerSet(address indexed account, address indexed signer, bool allowed);

    /// @notice The list of tokens has 1 to 4 of them.
    error BadTokenCount(uint256 actual, uint256 max);
    /// @notice A token on the list has to be a contract.
    error TokenWithoutCode(address token);
    /// @notice The token is not on the list fixed at deployment.
    error TokenNotAllowed(address token);
    /// @notice Terms name no client.
    error MissingClient();
    /// @notice Terms name no evaluator, or the escrow.
    error MissingEvaluator();
    /// @notice Terms ask for a fee and name no account, or the escrow, to take it.
    error MissingFeeTo();
    /// @notice The terms have a total of zero.
    error EmptyTotal();
    /// @notice It must hold that time < workBy <= reviewBy <= expiry <= time + 365 days.
    error BadDeadlines(uint256 time, uint40 workBy, uint40 reviewBy, uint40 expiry);
    /// @notice If silence pays or an arbitrator is named, at least `min` seconds lie between workBy and reviewBy, and between reviewBy and
    ///         expiry.
    error WindowTooShort(uint256 actual, uint256 min);
    /// @notice The fee is above the cap.
    error FeeTooHigh(uint256 actual, uint256 max);
    /// @notice `onSilence` is a set of three bits, so at most 7, and has the third only with the first.
    error BadSilence(uint8 actual);
    /// @notice One address may not hold these two roles.
    error SelfDealing(address account);
    /// @notice The caller is not the plan's client.
    error NotClient(address actual, address expected);
    /// @notice The token transferred less than the total of the terms.
    error ReceivedLess(uint256 actual, uint256 expected);
    /// @notice These terms were funded before; a plan is funded once, even after it was closed.
    error AlreadyFunded(bytes32 planId);
    /// @notice These terms were never funded, so no money can leave.
    error NotFunded(bytes32 planId);
    /// @notice The plan is closed.
    error AlreadyClosed(bytes32 planId);
    /// @notice No charter was sealed, so no step can be paid.
    error NotSealed(bytes32 planId);
    /// @notice The charter of a direct hire is part of its terms, and cannot be replaced.
    error CharterFixed(bytes32 charter);
    /// @notice A charter's version must be higher than the one in force.
    error StaleVersion(uint24 actual, uint24 current);
    /// @notice A charter is in force. {reseal} replaces it, or {seal} if `onSilence` allows that. The client alone cannot close.
    error CharterAgreed(uint24 version);
    /// @notice The client side authorized the charter in force: it cannot be vetoed, nor replaced by a proposal.
    error CharterAuthorized(uint24 version);
    /// @notice These terms allow no proposal, the client vetoed one, or it gave notice: only authorized charters count.
    error ProposalRefused(bytes32 planId);
    /// @notice Notice was given already.
    error CloseAlreadyRequested(bytes32 planId);
    /// @notice A charter in force cannot be replaced once one of its steps was paid, disputed or otherwise ended.
    error StepsTouched(uint128 codes);
    /// @notice These steps were submitted before: they are submitted once, and the charter cannot be replaced any more.
    error StepsHandedIn(uint64 bits);
    /// @notice Not as many signatures as there are members.
    error BadMemberCount(uint256 actual, uint256 expected);
    /// @notice `signer` may not sign for `payee`.
    error NotSigner(address signer, address payee);
    /// @notice It is past the time until which this could be done.
    error TooLate(uint256 time, uint256 until);
    /// @notice It is before the time from which this can be done.
    error TooEarly(uint256 time, uint256 from);
    /// @notice A charter has 1 to 64 steps.
    error BadStepCount(uint256 actual, uint256 max);
    /// @notice A payee may not be zero, the escrow, the evaluator or the arbitrator; nor may who takes a royalty.
    error BadPayee(uint256 step, address payee);
    /// @notice A royalty names a step that is not there or out of order, or too much of it; or is one too many.
    error BadRoyalty(uint256 royalty);
    /// @notice The steps and their fee come to more than the plan holds.
    error OverAllocated(uint256 actual, uint256 total);
    /// @notice The charter is not the one in force.
    error CharterMismatch(bytes32 actual, bytes32 expected);
    /// @notice The signature is not `expected`'s over exactly these values, this plan, this contract and this chain.
    error BadSignature(address expected);
    /// @notice Neither a step to pay nor a plan to close.
    error NothingToSettle();
    /// @notice `bits` names a step that the charter does not have.
    error StepOutOfRange(uint64 bits, uint256 count);
    /// @notice These steps left pending before.
    error StepNotPending(uint64 bits);
    /// @notice The step is not disputed.
    error StepNotDisputed(uint8 step);
    /// @notice Terms name no arbitrator.
    error NoArbitrator();
    /// @notice The account is no party to the step.
    error NotParty(address actual);
    /// @notice These steps are owed to the team. The client alone may not close the plan before `expiry`. After it, {closeExpired} pays
    ///         them if silence pays.
    error StepsOwed(uint64 bits);
    /// @notice By these terms silence refunds.
    error SilenceRefunds();
    /// @notice By these terms silence splits nothing.
    error SilenceSplitsNothing();
    /// @notice These steps were neither submitted nor acknowledged in time.
    error NotSubmitted(uint64 bits);
    /// @notice A share is at most 10000.
    error BadShare(uint256 actual, uint256 max);
    /// @notice The account has no credit in this token.
    error NothingToWithdraw(address token, address account);
    /// @notice A credit cannot be sent to zero or to the escrow.
    error BadRecipient(address to);
    /// @notice Less gas is left than the next item of the batch may use.
    error GasTooLow(uint256 actual, uint256 expected);

    /// @notice Funds the plan from the caller's allowance.
    /// @dev Caller: the client. None → Funded. Reverts unless the escrow's balance grows by `total` or more. A surplus belongs to no plan.
    function fund(Terms calldata terms) external;

    /// @notice As {fund}, for many plans of the caller, all or none. Adjacent plans in one token are funded by one transfer.
    function fundMany(Terms[] calldata terms) external;

    /// @notice Funds the plan by the client's ERC-3009 signature, so that the client needs no gas.
    /// @dev Caller: any account. The authorization's nonce is the plan's id, so the signature covers all the terms. Its receiver is this
    ///      escrow, which uses it for nothing else. None → Funded. The client can cancel the authorization at the token until this is
    ///      mined.
    function fundWithAuthorization(Terms calldata terms, uint256 validAfter, uint256 validBefore, bytes calldata signature)
        external;

    /// @notice Funds the plan through Permit2, by one signature that covers all the terms.
    /// @dev Caller: any account. Permit2's witness is the plan's id, of type "bytes32 planId". The client has allowed the canonical Permit2
    ///      (0x000000000022D473030F116dDEE9F6B43aC78BA3) to move the token. Fails where there is none.
    function fundWithPermit2(Terms calldata terms, uint256 nonce, uint256 deadline, bytes calldata signature) external;

    /// @notice Names the team: who may be paid, and how much.
    /// @dev Caller: any account that has the signatures. Funded, before `expiry`, no direct hire. The evaluator and each payee, or a signer
    ///      that it allowed, sign Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash). The
    ///      first two hashes are keccak256(abi.encode(steps)) and keccak256(abi.encode(royalties)).
    ///      - *Authorized*: the client or its authorizer signs CharterAuthorization(…) with the same fields, too. The charter pays at once,
    ///        and ends a notice.
    ///      - *Proposed*: without that signature, if `vetoSeconds` is not 0. The charter pays after `vetoSeconds`, which must end before
    ///        `expiry`. Refused after a veto, a notice, or an authorized charter.
    ///
    ///      The same charter and version with an authorization turns a proposal into an authorized charter. No other account has to sign
    ///      again. A higher version replaces a charter in force until one of its steps is submitted, paid, disputed or split. Then
    ///      attestations to the replaced charter pay nothing. Members that leave must sign too, and members whose steps sum to less before
    ///      royalties ({reseal}), unless `onSilence` has its bit 2. A proposal within its veto window is not binding. Any authorized
    ///      charter replaces it, of any version and without its members, also after they submitted steps.
    ///      Does NOT protect members that work on a charter that is not sealed before the client's notice ends, or before `expiry`.
    function seal(Sealing calldata sealing) external;

    /// @notice As {seal}, to replace a charter in force, for any `onSilence`: its members sign the new one too.
    /// @param replaced the charter in force
    /// @dev The member signatures are those of the new payees, then those of the other payees of `replaced`, each in order of first
    ///      appearance.
    function reseal(Sealing calldata sealing, Charter calldata replaced) external;

    /// @notice Voids the proposed charter in force, before its veto window ends. Steps submitted under it are forgotten.
    /// @dev Authorized by the client or its authorizer, over CharterVeto(bytes32 planId,uint24 version). From then on only authorized
    ///      charters count. Does NOT give the money back: that is {requestClose}.
    function veto(Terms calldata terms, uint24 version, bytes calldata signature) external;

    /// @notice Announces that the client wants its money back from a plan without a charter. After a day {refund} is open.
    /// @dev Authorized by the client or its authorizer, over CloseRequest(bytes32 planId,uint24 version), with the `version` of the last
    ///      charter, or 0. The day is for members that work on an authorized charter that is not sealed yet: sealing it ends the notice.
    ///      Does NOT stop a member from sealing a charter that the client regrets.
    function requestClose(Terms calldata terms, bytes calldata signature) external;

    /// @notice Allows or forbids `signer` to sign charters, submit and dispute for the caller.
    /// @dev Such a signer can accept an agreement; it can neither take money nor agree to a split.
    function setSigner(address signer, bool allowed) external;

    /// @notice As {setSigner}, by the account's signature over SetSigner(address account,address signer,bool allowed,uint256 nonce,uint256
    ///         deadline). `nonce`: {nonceOf} at that time.
    function setSignerBySignature(address account, address signer, bool allowed, uint256 deadline, bytes calldata signature)
        external;

    /// @notice Submits steps on chain, so that no closing and no expiry takes them back unreviewed.
    /// @param by the payee of each of these steps, or a signer that it allowed
    /// @dev Authorized by `by`: its call, or its signature over StepSubmission(bytes32 planId,uint24 version,uint64 bits,bytes32
    ///      outputsHash). Until `workBy`, including that second. Pending steps, each once. Also under a proposal that does not pay yet.
    ///      Does NOT prove that there is any work. The client disputes before `reviewBy`; otherwise the rules of silence apply.
    function submit(
        Terms calldata terms, Charter calldata charter, uint64 bits, bytes32 outputsHash, address by, bytes calldata signature
    ) external;

    /// @notice Pays steps on the evaluator's attestation; with `close`, also ends the plan and refunds the rest.
    /// @dev Authorized by the evaluator: its call, or its signature over Attestation(bytes32 planId,bytes32 charter,uint64 bits,bool
    ///      close,bytes32 conclusionHash). `charter`: the value of {charterOf} after sealing, or `charter` of the terms; 0 for none.
    ///      Without a charter, with bits 0 and `close`, the plan is void: all of it is refunded. Valid until the plan is closed, also after
    ///      `expiry` if no account ended the plan. A proposal pays nothing before its veto window ends. If the token refuses a transfer to
    ///      a payee, the payee is credited instead, and the others are paid. A token may call its receivers, and a receiver that burns all
    ///      gas leaves a 64th of it. If that does not suffice for the rest, the whole call reverts. The fee is computed on all steps paid
    ///      whole so far, so splitting a settlement does not change it. `close` leaves disputed steps open, and submitted ones until the
    ///      rule of silence decides. If silence pays, they stay open until they are paid; otherwise until `reviewBy`. Their amounts and fee
    ///      stay, and the plan closes with the last of them.
    function settle(Settlement calldata settlement) external;

    /// @notice As {settle}, for up to 256 plans or parts of plans; one that fails leaves the others as they are.
    /// @return okBitmap bit i is set when settlement i was carried out
    /// @dev Caller: any account. An item whose attestation the evaluator signed with the batch needs no own signature, and pays exactly
    ///      what that attestation names. Other items are as in {settle}: the caller's own settlements need none. A holder of a batch
    ///      signature can execute any of its items, in any batch with the same attestations. Each takes effect once. Reverts if the batch
    ///      signature is not the evaluator's.
    function settleMany(Batch calldata batch) external returns (uint256 okBitmap);

    /// @notice {seal} of an authorized charter and {settle} of its first steps in one transaction.
    /// @dev Caller: any account that has the signatures. Emits the events of both. If it closes the plan, {charterOf} is not written. If
    ///      the same charter is already in force, it only settles.
    function sealAndSettle(SealedSettlement calldata one) external;

    /// @notice {sealAndSettle} of up to 256 plans; `okBitmap` as in {settleMany}. The batch signature covers attestations only: charters
    ///         need the signatures of {seal}.
    function sealAndSettleMany(Batch calldata batch) external returns (uint256 okBitmap);

    /// @notice Pays steps with the client's signature, without the evaluator.
    /// @dev Authorized by the client: its call, or its signature over Release(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32
    ///      conclusionHash), which it cannot revoke. As {settle}, except that `close` needs a charter all of whose steps have ended or are
    ///      disputed. Without a charter the client closes by {requestClose}. Only the evaluator or `expiry` can refund what a charter
    ///      promises.
    function release(Settlement calldata settlement) external;

    /// @notice Pays half of pending steps, where silence splits; with `close`, also ends the plan as {settle}.
    /// @dev Authorized by the evaluator: its call, or its signature over HalfAttestation(bytes32 planId,bytes32 charter,uint64 bits,bool
    ///      close,bytes32 conclusionHash). Each step pays half of its amount, rounded down, to its payee and bears its own fee. The rest is
    ///      refunded at the close. No batch carries it. Does NOT prove that no party decided these steps.
    function settleHalf(Settlement calldata settlement) external;

    /// @notice Pays steps that were submitted and that no account settled or disputed by `reviewBy`, where silence pays.
    /// @dev Caller: any account. From `reviewBy` until the plan is closed. Each step was submitted here, or is in `acknowledgement`: the
    ///      evaluator's signature over Submission(bytes32 planId,bytes32 charter,uint64 bits,bytes32 outputsHash,uint40 receivedAt), with
    ///      `receivedAt` not after `workBy`. The evaluator can still attest: the transaction that is mined first counts.
    function settleOnSilence(
        Terms calldata terms, Charter calldata charter, uint64 bits, Acknowledgement calldata acknowledgement
    ) external;

    /// @notice Disputes a pending step. From then on only the arbitrator, client and payee together ({acceptOffer}), or `expiry` can pay or
    ///         refund it.
    /// @param by the client, the step's payee, or a signer of the payee
    /// @dev Authorized by `by`: its call, or its signature over DisputeOpened(bytes32 planId,uint24 version,uint8 step,bytes32
    ///      evidenceHash). Before `reviewBy`, and only if an arbitrator is named. There is no bond. A step can be disputed once. Without a
    ///      ruling by `expiry`, the party that disputed loses. A step that the payee or its signer disputed is then refunded, even if
    ///      silence pays. A step that the client disputed is paid if silence pays.
    function dispute(
        Terms calldata terms, Charter calldata charter, uint8 step, bytes32 evidenceHash, address by, bytes calldata signature
    ) external;

    /// @notice Splits a disputed step: `payeeBps` of it, rounded down, to its payee, the rest to the client at the close.
    /// @dev Authorized by the arbitrator: its call, or its signature over Ruling(bytes32 planId,uint24 version,uint8 step,uint16
    ///      payeeBps,bytes32 rulingHash). Before `expiry`.
    function rule(
        Terms calldata terms, Charter calldata charter, uint8 step, uint16 payeeBps, bytes32 rulingHash, bytes calldata
        signature
    ) external;

    /// @notice Splits a pending or disputed step as client and payee agreed.
    /// @dev Authorized by the client and by the payee itself: call or signature over SettlementOffer(bytes32 planId,uint24 version,uint8
    ///      step,uint16 payeeBps,uint40 deadline). A party that gets everything need not sign: with 10000 that is the payee, with 0 the
    ///      client.
    function acceptOffer(
        Terms calldata terms, Charter calldata charter, uint8 step, uint16 payeeBps, uint40 deadline, bytes calldata
        clientSignature, bytes calldata payeeSignature
    ) external;

    /// @notice Sends all that is left to the client, after the plan has expired or a notice has ended.
    /// @dev Caller: any account. Needs no signature, calls only the token, and credits the client if the token refuses. Funded → Closed. If
    ///      silence pays, it reverts while steps are owed: steps submitted in time and undisputed, and steps that the client disputed
    ///      without a ruling. Then {closeExpired} ends the plan.
    ///      Does NOT pay a step that was done and never submitted here: settle before `expiry`.
    function refund(Terms calldata terms) external;

    /// @notice As {refund}, if silence pays. It first pays the steps that are owed. Then it refunds the rest, including steps disputed by
    ///         payees.
    /// @dev Caller: any account, since the charter is public after sealing. From `expiry` on.
    function closeExpired(Terms calldata terms, Charter calldata charter) external;

    /// @notice Sends the caller's whole credit in `token` to `to`.
    /// @dev Reverts if the token refuses, leaving the credit as it was.
    function withdrawCredit(address token, address to) external;

    /// @notice As {withdrawCredit}, by the account's signature over CreditWithdrawal(address account,address token,address to,uint256
    ///         nonce,uint256 deadline). `nonce`: {nonceOf} at that time. So an account without gas, or one that the token blocks, can send
    ///         its credit elsewhere.
    function withdrawCreditTo(address account, address token, address to, uint256 deadline, bytes calldata signature)
        external;

    /// @notice The EIP-712 digest of the terms: bound to this contract and this chain.
    function planId(Terms calldata terms) external view returns (bytes32);

    /// @notice The stored state of a plan.
    /// @return status its status
    /// @return remaining what is left to pay or refund
    /// @return codes 64 codes of 2 bits, step 0 lowest: 0 pending, 1 paid whole, 2 refunded or split, 3 disputed. In a plan that is closed
    ///         or closing every other place reads 2, also where no step stands
    /// @return version the last charter's; 0 before the first seal, and in a direct hire
    /// @return charter who signed the charter in force; a direct hire is authorized
    /// @return closing closed but for steps that are disputed or in review
    /// @return vetoed a proposal was refused, and none counts any more
    /// @return closeRequested the client announced that it closes the plan
    function plan(bytes32 id)
        external
        view
        returns (
            PlanStatus status,
            uint96 remaining,
            uint128 codes,
            uint24 version,
            CharterState charter,
            bool closing,
            bool vetoed,
            bool closeRequested
        );

    /// @notice keccak256(abi.encode(stepsHash, royaltiesHash, charterHash)) of the charter in force. Zero without one, in a direct hire
    ///         (its terms have it), and if {sealAndSettle} closed the plan at once.
    function charterOf(bytes32 id) external view returns (bytes32);

    /// @return submitted the steps that were submitted on chain under the charter in force
    /// @return disputedByPayee the steps that were disputed by their payee or its signer, not by the client; ruled on or not
    /// @return payableFrom when the veto window of the last proposal ends; without meaning for an authorized charter
    /// @return closableFrom when the last notice ends; meaningful only if {plan} returns `closeRequested`
    function marks(bytes32 id)
        external
        view
        returns (uint64 submitted, uint64 disputedByPayee, uint40 payableFrom, uint40 closableFrom);

    /// @notice What `account` can withdraw in `token`.
    function credit(address token, address account) external view returns (uint256);

    /// @notice Whether `signer` may sign charters, submit and dispute for `account`.
    function isSigner(address account, address signer) external view returns (bool);

    /// @notice The nonce of the account's next signature about its signers and credits.
    function nonceOf(address account) external view returns (uint256);

    /// @notice Whether plans may be funded in `token`.
    function isTokenAllowed(address token) external view returns (bool);
}
