// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Reentrancy guard: one call at a time
/// @dev As OpenZeppelin's ReentrancyGuardTransient, with the same error. The flag is a transient variable of the
///      language instead of a slot that a library accesses. That saves about 100 gas per call.
abstract contract ReentrancyLock {
    uint256 private transient _isLocked;

    /// @notice A call came from within a call.
    error ReentrancyGuardReentrantCall();

    modifier nonReentrant() {
        _enter();
        _;
        _isLocked = 0;
    }

    /// @dev As {nonReentrant}; but the contract's own call, which an item of a batch is, runs under the batch's lock.
    modifier nonReentrantOrOwn() {
        if (msg.sender == address(this)) {
            _;
        } else {
            _enter();
            _;
            _isLocked = 0;
        }
    }

    function _enter() private {
        if (_isLocked != 0) revert ReentrancyGuardReentrantCall();
        _isLocked = 1;
    }
}
