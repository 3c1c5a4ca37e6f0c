// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Payouts for agents that are paid too often to settle each step
/// @notice One depositor, one operator, one token: nobody else's money is here. Each epoch the operator commits the root
///         of a tree that says what every account has earned in all, ever. After the challenge window the root is
///         accepted, and each account claims the difference to what it had before.
///
///         The tree is a sum tree: each node carries the sum of its leaves, and hashes both sums with both hashes. So a
///         root cannot owe more than its `total`, whoever hides whatever leaf; and `total` may not exceed the deposit.
///         What a root can still do wrong is to owe an account less than the root before it, or to leave it out:
///
///         - {challenge} proves the first from two leaves, on the spot;
///         - {demand} asks for an account's leaf, and {enforce} is the answer's place when none came in time.
///
///         Either way the root is void, the one before it stands, and the operator's bond goes to whoever did it.
/// @dev Amounts in the token's base units, times in seconds since 1970.
///      A node is 44 bytes: 32 of hash, 12 of sum. A leaf's hash is
///      keccak256(keccak256(abi.encode(account, token, cumulative))) and its sum `cumulative`. A parent's hash is
///      keccak256(lower node ‖ higher node), ordered by hash; its sum the sum of both. A root is known by the first
///      27 bytes of keccak256(root node). A proof is the sibling nodes from the leaf up, end to end.
///      What this does not protect against:
///      - an operator that leaves out work it never committed: only what an accepted root said is owed;
///      - an operator that pays its friends out of the deposit: the depositor trusts it with what is deposited;
///      - a shrunk root that nobody challenges within the window: somebody has to look at each root;
///      - a depositor that leaves: work not committed before {reclaim} may find no money.
interface IEpochPayouts {
    /// @param depositor who gets back what no root owes
    /// @param operator who commits roots
    /// @param token what is deposited, paid and bonded
    /// @param bond what the operator loses for a bad root; it cannot commit without
    /// @param challengeWindow seconds between a root's commitment and its acceptance, and to answer a demand
    /// @param silence seconds without a root, or after the depositor's notice, until {reclaim}
    struct Terms {
        address depositor;
        address operator;
        address token;
        uint96 bond;
        uint40 challengeWindow;
        uint40 silence;
    }

    /// @param cumulative all that the account ever earned, as the root says
    struct Claim {
        address account;
        uint96 cumulative;
        bytes proof;
    }

    event Deposited(address indexed from, uint256 amount, uint256 deposited);
    event BondPosted(uint256 amount);
    event BondWithdrawn(uint256 amount);
    /// @notice `slot` is where {claim} finds the root, from `acceptedFrom` unless it is void by then.
    event EpochCommitted(uint256 indexed epoch, uint256 slot, bytes32 root, uint256 total, uint256 acceptedFrom);
    event LeafDemanded(uint256 indexed epoch, address indexed account, uint256 cumulative, uint256 answerBy);
    event LeafShown(uint256 indexed epoch, address indexed account, uint256 cumulative);
    /// @notice The epoch's root never existed; `challenger` has the bond.
    event EpochVoided(uint256 indexed epoch, address indexed account, address indexed challenger);
    /// @notice The account has now been paid `cumulative` in all.
    event Claimed(address indexed account, uint256 cumulative);
    event ExitRequested(uint256 reclaimableAt);
    event Reclaimed(uint256 amount);
    event Credited(address indexed account, uint256 amount);
    event CreditWithdrawn(address indexed account, address to, uint256 amount);

    error BadParty(address party);
    error TokenWithoutCode(address token);
    error BadTime(uint256 actual, uint256 min, uint256 max);
    error EmptyAmount();
    error DepositTooLarge(uint256 actual, uint256 max);
    error ReceivedLess(uint256 actual, uint256 expected);
    error NotOperator(address actual, address expected);
    error NotDepositor(address actual, address expected);
    error AlreadyBonded();
    error NotBonded();
    /// @notice The newest root is not accepted yet; later than this, while an answer is owed.
    error EpochPending(uint256 until);
    /// @notice The newest root is accepted, or there is none: nothing to challenge.
    error NotPending(uint256 epoch);
    error TotalShrinks(uint256 actual, uint256 min);
    error TotalAboveDeposit(uint256 actual, uint256 max);
    error NotAccepted(uint256 slot);
    error BadProof(address account, uint256 cumulative);
    error NothingNew(address account, uint256 cumulative);
    /// @notice The leaf owes no less than before: no fault.
    error NotShrunk(uint256 actual, uint256 before);
    error AlreadyDemanded(address account);
    error NotDemanded(address account);
    error TooEarly(uint256 actual, uint256 earliest);
    error TooLate(uint256 actual, uint256 end);
    error AlreadyRequested();
    error NothingToWithdraw(address account);
    error BadRecipient(address to);

    /// @notice Adds to the deposit, out of the caller's allowance.
    /// @dev Caller: anybody; it belongs to the depositor from then on.
    function deposit(uint96 amount) external;

    /// @notice Adds to the deposit on the depositor's ERC-3009 signature, with any nonce: its receiver is this contract.
    function depositWithAuthorization(
        uint96 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;

    /// @notice Posts the bond, out of the caller's allowance.
    /// @dev Caller: the operator.
    function postBond() external;

    /// @notice Takes the bond back; no root can be committed until it is posted again.
    /// @dev Caller: the operator, while no root is pending: an accepted one can no longer be challenged.
    function withdrawBond() external;

    /// @notice Commits the next epoch: `root` is the hash of the tree's top node, `total` its sum.
    /// @dev Caller: the operator, bonded, once the root before is accepted. `total` ≥ the one before, ≤ the deposit.
    function commit(bytes32 root, uint96 total) external;

    /// @notice Voids the pending root for a leaf that owes `account` less than the accepted root does.
    /// @dev Caller: anybody; the bond goes to the caller, and who copies the proof can be faster.
    function challenge(
        address account,
        uint96 before,
        bytes calldata beforeProof,
        uint96 cumulative,
        bytes calldata proof
    ) external;

    /// @notice Asks the operator to show that the pending root still owes `account` what the accepted one does.
    /// @dev Caller: anybody, within the challenge window, once per account and epoch. Until it is answered the root is
    ///      not accepted.
    function demand(address account, uint96 cumulative, bytes calldata proof) external;

    /// @notice Answers a demand with the account's leaf in the pending root.
    /// @dev Caller: anybody. When the last one is answered the root is accepted as soon as its window has passed.
    function answer(address account, uint96 cumulative, bytes calldata proof) external;

    /// @notice Voids the pending root for a demand that was not answered in time. The bond goes to who demanded.
    /// @dev Caller: anybody.
    function enforce(address account) external;

    /// @notice Pays `account` what an accepted root says it earned and has not been paid.
    /// @dev Caller: anybody. Needs no operator: works as long as the contract does. A payee that the token refuses is
    ///      credited instead.
    /// @param slot 0 or 1, as {EpochCommitted} and {accepted} tell it
    function claim(uint256 slot, address account, uint96 cumulative, bytes calldata proof) external;

    /// @notice {claim} for many; an account that has nothing new is passed over.
    function claimMany(uint256 slot, Claim[] calldata claims) external;

    /// @notice The depositor's notice: after `silence` it can take back what no root owes, whatever the operator does.
    function requestExit() external;

    /// @notice Sends the depositor all that no root owes, accepted or pending.
    /// @dev Caller: the depositor, `silence` after the last root that stands, or after its own notice.
    function reclaim() external;

    /// @notice Sends the caller's whole credit to `to`.
    function withdrawCredit(address to) external;

    /// @notice The slot of the newest accepted root, and what it owes in all; reverts while there is none.
    function accepted() external view returns (uint256 slot, bytes27 commitment, uint256 total);

    /// @return number how many roots were ever committed
    /// @return slot where the newest root that stands is kept
    /// @return acceptedTotal what the accepted root owes in all
    /// @return newestTotal what the newest root owes in all; the same once it is accepted
    /// @return demands how many answers are owed
    /// @return acceptedFrom when the newest root is accepted, if no answer is owed then; 0 when there is none
    function epoch()
        external
        view
        returns (
            uint256 number,
            uint256 slot,
            uint256 acceptedTotal,
            uint256 newestTotal,
            uint256 demands,
            uint256 acceptedFrom
        );

    /// @return deposited what was paid in and not reclaimed
    /// @return bonded whether the operator's bond is here
    /// @return exitRequestedAt when the depositor gave notice; 0 when it did not
    function money() external view returns (uint256 deposited, bool bonded, uint256 exitRequestedAt);

    /// @notice What `account` has been paid in all.
    function claimed(address account) external view returns (uint256);

    /// @notice What `account` can withdraw.
    function credit(address account) external view returns (uint256);
}
