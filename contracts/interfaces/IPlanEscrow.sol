// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title IPlanEscrow
/// @notice Holds a client's money for one plan, and pays the plan's team out of it.
///
///         A plan is funded once, from signed {Terms}; sealed, when the evaluator names the payees and their amounts;
///         settled, step by step, each step at most once; and closed, when what is left goes back to the client.
///         After `expiry` anybody can send the rest back to the client, and no key can prevent it.
///
///         What it does NOT protect against: an evaluator that names its own friends as payees or attests to bad work.
///         The evaluator is trusted within three bounds: only sealed payees are paid, never more than `total` leaves
///         the plan, and only until somebody calls {refund} after `expiry`.
///
///         Tokens are assumed to keep balances that change by transfers only (no rebasing), to take no fee on the way
///         out, and to be one contract with one address. A token that breaks this harms plans in that token only as
///         far as the shortfall goes; the list of tokens is fixed when the escrow is deployed.
interface IPlanEscrow {
    /// @notice Where a plan stands. A plan is sealed when it is `Funded` and its charter version is above 0.
    enum PlanStatus {
        None,
        Funded,
        Closed
    }

    /// @notice What the client agrees to. Its EIP-712 digest is the plan's id.
    /// @param client who pays, and who is refunded
    /// @param token an ERC-20 of the list fixed at deployment
    /// @param total what is set aside, in base units, fee included
    /// @param workBy unix seconds; until when the team is to have done its work; later than now at funding
    /// @param expiry unix seconds; from then on anybody may refund; not before `workBy`
    /// @param feeBps fee on what is paid to payees, in hundredths of a percent, at most 1000
    /// @param feeTo who is credited the fee; may be zero when `feeBps` is
    /// @param evaluator whose signature seals and settles; a key or an ERC-1271 wallet
    /// @param briefHash hash of the goal as the client wrote it
    /// @param salt makes two otherwise equal terms two plans
    struct Terms {
        address client;
        address token;
        uint96 total;
        uint40 workBy;
        uint40 expiry;
        uint16 feeBps;
        address feeTo;
        address evaluator;
        bytes32 briefHash;
        uint256 salt;
    }

    /// @notice One paid unit of the charter. Steps of one payee that stand side by side are paid in one transfer.
    struct Step {
        address payee;
        uint96 amount;
    }

    /// @notice The plan's money is in the escrow.
    event PlanFunded(bytes32 indexed planId, address indexed client, address indexed token, uint96 total, bytes32 briefHash);
    /// @notice The charter was set, or replaced by one of a higher version.
    event PlanSealed(bytes32 indexed planId, uint24 version, bytes32 stepsHash, bytes32 charterHash);
    /// @notice The steps named by `bits` became paid. Emitted with bits 0 when a plan is closed without paying any.
    event StepsSettled(bytes32 indexed planId, uint64 bits, bytes32 conclusionHash);
    /// @notice The token accepted a transfer of `amount` to `payee`. `conclusionHash` names the message it is paid for.
    event Paid(bytes32 indexed planId, address indexed payee, uint256 amount, bytes32 conclusionHash);
    /// @notice The token refused a transfer to `account`, payee or client; the amount waits in its credit instead.
    event Credited(bytes32 indexed planId, address indexed token, address indexed account, uint256 amount);
    /// @notice The fee on the steps just settled was added to the credit of `feeTo`.
    event FeeCredited(bytes32 indexed planId, address indexed token, address indexed feeTo, uint256 amount);
    /// @notice The token accepted the transfer of the plan's rest to the client.
    event Refunded(bytes32 indexed planId, address indexed client, uint256 amount);
    /// @notice Nothing will ever move out of this plan again.
    event PlanClosed(bytes32 indexed planId);
    /// @notice A credit was taken out, whole.
    event CreditWithdrawn(address indexed token, address indexed account, address indexed to, uint256 amount);

    /// @notice The list of tokens has 1 to 4 of them.
    error BadTokenCount(uint256 actual, uint256 max);
    /// @notice A token on the list has to be a contract.
    error TokenWithoutCode(address token);
    /// @notice The token is not on the list fixed at deployment.
    error TokenNotAllowed(address token);
    /// @notice Terms name no client.
    error MissingClient();
    /// @notice Terms name no evaluator.
    error MissingEvaluator();
    /// @notice Terms ask for a fee and name nobody, or the escrow, to take it.
    error MissingFeeTo();
    /// @notice Terms set nothing aside.
    error EmptyTotal();
    /// @notice It must hold that time < workBy <= expiry.
    error BadDeadlines(uint256 time, uint40 workBy, uint40 expiry);
    /// @notice The fee is above the cap.
    error FeeTooHigh(uint256 actual, uint256 max);
    /// @notice The caller is not the plan's client.
    error NotClient(address actual, address expected);
    /// @notice The token moved less than the terms set aside.
    error ReceivedLess(uint256 actual, uint256 expected);
    /// @notice These terms were funded before; a plan is funded once, even after it was closed.
    error AlreadyFunded(bytes32 planId);
    /// @notice No money was ever set aside for these terms, so none can leave.
    error NotFunded(bytes32 planId);
    /// @notice The plan is closed.
    error AlreadyClosed(bytes32 planId);
    /// @notice No charter was sealed, so no step can be paid.
    error NotSealed(bytes32 planId);
    /// @notice A charter's version must be higher than the one in force.
    error StaleVersion(uint24 actual, uint24 current);
    /// @notice A charter in force cannot be replaced once one of its steps was paid.
    error StepsAlreadyPaid(uint64 bits);
    /// @notice The plan has expired.
    error TooLate(uint256 time, uint40 expiry);
    /// @notice The plan has not expired.
    error TooEarly(uint256 time, uint40 expiry);
    /// @notice A charter has 1 to 64 steps.
    error BadStepCount(uint256 actual, uint256 max);
    /// @notice A payee may not be zero, the escrow or the evaluator.
    error BadPayee(uint256 step, address payee);
    /// @notice The steps and their fee come to more than the plan holds.
    error OverAllocated(uint256 actual, uint256 total);
    /// @notice The steps and charter hash are not those that were sealed.
    error CharterMismatch(bytes32 actual, bytes32 expected);
    /// @notice The signature is not `expected`'s over exactly these values, this plan, this contract and this chain.
    error BadSignature(address expected);
    /// @notice Neither a step to pay nor a plan to close.
    error NothingToSettle();
    /// @notice `bits` names a step that the charter does not have.
    error StepOutOfRange(uint64 bits, uint256 count);
    /// @notice These steps left pending before.
    error StepNotPending(uint64 bits);
    /// @notice The client alone may not close a plan that still owes these steps to its team.
    error StepsOwed(uint64 bits);
    /// @notice The caller has no credit in this token.
    error NothingToWithdraw(address token, address account);
    /// @notice A credit cannot be sent to zero or to the escrow.
    error BadRecipient(address to);

    /// @notice Sets the plan's money aside, out of the caller's allowance.
    /// @dev Caller: the client. None → Funded. Reverts unless the escrow's balance grows by `total` or more; what
    ///      comes in above `total` belongs to no plan.
    function fund(Terms calldata terms) external;

    /// @notice Sets the plan's money aside on the client's ERC-3009 signature, so that the client needs no gas.
    /// @dev Caller: anybody. The authorization's nonce is the plan's id, so the one signature covers all the terms; and
    ///      its receiver is this escrow, which spends it nowhere else. None → Funded. The client can cancel the
    ///      authorization at the token until this is mined.
    function fundWithAuthorization(Terms calldata terms, uint256 validAfter, uint256 validBefore, bytes calldata signature)
        external;

    /// @notice Names the team: who may be paid, and how much.
    /// @dev Caller: anybody who brings the evaluator's signature over
    ///      Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 charterHash),
    ///      stepsHash being keccak256(abi.encode(steps)). Funded, before `expiry`, and no step paid.
    ///      A higher version replaces the charter in force, for a member whose lease has ended: attestations to the
    ///      replaced charter are void from then on. Does not check that the members agreed: `charterHash` names the
    ///      document they signed, and whoever reads it can.
    function seal(
        Terms calldata terms,
        uint24 version,
        Step[] calldata steps,
        bytes32 charterHash,
        bytes calldata evaluatorSignature
    ) external;

    /// @notice Pays steps on the evaluator's attestation; with `close`, also ends the plan and refunds the rest.
    /// @dev Caller: anybody who brings the evaluator's signature over
    ///      Attestation(bytes32 planId,uint24 version,uint64 bits,bool close,bytes32 conclusionHash),
    ///      version being that of the charter in force, 0 for none. With no charter, bits 0, no steps and `close`, the
    ///      plan is void: all of it goes back. Valid until the plan is closed, after `expiry` too as long as nobody
    ///      refunded. A payee that the token refuses is credited instead and stops nobody else. The fee is reckoned on
    ///      all that was paid so far, so splitting a settlement does not change it.
    function settle(
        Terms calldata terms,
        Step[] calldata steps,
        bytes32 charterHash,
        uint64 bits,
        bool close,
        bytes32 conclusionHash,
        bytes calldata evaluatorSignature
    ) external;

    /// @notice Pays steps because the client says so; no evaluator is asked.
    /// @dev Caller: the client. As {settle}, except that `close` is refused while a sealed step is left pending: the
    ///      client may take back what was promised to nobody, and only the evaluator or time can take back the rest.
    function release(
        Terms calldata terms,
        Step[] calldata steps,
        bytes32 charterHash,
        uint64 bits,
        bool close,
        bytes32 conclusionHash
    ) external;

    /// @notice Sends all that is left to the client, once the plan has expired.
    /// @dev Caller: anybody. Asks no signature, calls nobody but the token, and credits the client if the token refuses.
    ///      Funded → Closed. Steps not settled by then are not paid, done or not.
    function refund(Terms calldata terms) external;

    /// @notice Sends the caller's whole credit in `token` to `to`.
    /// @dev Reverts if the token refuses, leaving the credit as it was.
    function withdrawCredit(address token, address to) external;

    /// @notice The EIP-712 digest of the terms: bound to this contract and this chain.
    function planId(Terms calldata terms) external view returns (bytes32);

    /// @notice What the escrow remembers of a plan. In a closed plan every place that was not paid reads refunded (2).
    /// @return status where it stands
    /// @return remaining what is left to pay or refund
    /// @return codes 64 codes of 2 bits, step 0 lowest: 0 pending, 1 paid, 2 refunded
    /// @return version the charter's; 0 before the first seal
    function plan(bytes32 id) external view returns (PlanStatus status, uint96 remaining, uint128 codes, uint24 version);

    /// @notice keccak256(abi.encode(stepsHash, charterHash)) of the charter in force; zero before the first seal.
    function charter(bytes32 id) external view returns (bytes32);

    /// @notice What `account` can withdraw in `token`.
    function credit(address token, address account) external view returns (uint256);

    /// @notice Whether plans may be funded in `token`.
    function isTokenAllowed(address token) external view returns (bool);
}
